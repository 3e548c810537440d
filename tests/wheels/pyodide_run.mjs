// node pyodide_run.mjs ORDERS: runs Python code in Pyodide, with wheels unpacked and a folder mounted at /mounted.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const { pyodide, wheels, folder, code } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")));
try {
  const python = await loadPyodide();
  const site = python.runPython("import site; site.getsitepackages()[0]");
  for (const wheel of wheels) python.unpackArchive(new Uint8Array(fs.readFileSync(wheel)), "wheel", { extractDir: site });
  python.FS.mkdir("/mounted");
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/mounted");
  python.runPython(code);
} catch (error) {
  console.error(String(error.message).slice(-4000)); // Node would print Pyodide's whole source with it
  process.exit(1);
}
