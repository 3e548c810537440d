// Loads Python, the runtime wheel and the model into the page, and predicts with each image that is chosen.
const SIDE = 8; // pixels of the model's input
const state = document.getElementById("state");
const files = await (await fetch("files.json")).json(); // what build.py has put beside this page
const { loadPyodide } = await import(new URL(`${files.pyodide}/pyodide.mjs`, location.href));

const started = performance.now();
const python = await loadPyodide({ packages: ["numpy"] });
const site = python.runPython("import site; site.getsitepackages()[0]");
for (const wheel of files.wheels) {
  python.unpackArchive(await (await fetch(wheel)).arrayBuffer(), "wheel", { extractDir: site });
}
for (const file of files.model) {
  python.FS.writeFile(`/${file}`, new Uint8Array(await (await fetch(file)).arrayBuffer()));
}
const predict = python.runPython(`
import numpy as np
from to_static.inference import load_predictor

model = load_predictor("/model")

def predict(pixels):
    scores, looks = model(np.asarray(pixels, "float32").reshape(1, -1))
    shares = np.exp(scores[0] - scores[0].max())
    return int(scores[0].argmax()), float(shares.max() / shares.sum()), int(looks)

predict
`);

// The ink of an image between 0 and 1, averaged over the squares of a grid.
async function inkOf(file) {
  const image = await createImageBitmap(file);
  const context = document.getElementById("seen").getContext("2d", { willReadFrequently: true });
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, SIDE, SIDE);
  const dark = document.getElementById("dark-ink").checked;
  const { data } = context.getImageData(0, 0, SIDE, SIDE);
  return Array.from({ length: SIDE * SIDE }, (_, i) => {
    const light = (0.299 * data[4 * i] + 0.587 * data[4 * i + 1] + 0.114 * data[4 * i + 2]) / 255;
    return dark ? 1 - light : light;
  });
}

const chooser = document.getElementById("file");
chooser.addEventListener("change", async () => {
  const before = performance.now();
  const [digit, share, looks] = predict(await inkOf(chooser.files[0])).toJs();
  document.getElementById("answer").textContent = `${digit} (${(100 * share).toFixed(0)} %)`;
  state.textContent = `answered after ${looks} looks, in ${(performance.now() - before).toFixed(0)} ms`;
});
chooser.disabled = false;
state.textContent = `ready after ${((performance.now() - started) / 1000).toFixed(1)} s: Python ${python.runPython("import sys; sys.version.split()[0]")}`;
