"use strict";
const token = document.getElementById("token");

async function ask(path, options = {}) {
  const headers = token.value ? { Authorization: `Bearer ${token.value}` } : {};
  const response = await fetch(path, { ...options, headers });
  if (response.status === 401) document.getElementById("token-field").hidden = false;
  const content = await response.json();
  if (!response.ok) throw new Error(content.error || response.statusText);
  return content;
}

function example(metadata) {
  const inputs = metadata.inputs.map(({ name, datatype, shape }) => {
    const sizes = shape.map((size) => (size < 0 ? 1 : size));
    const count = sizes.reduce((product, size) => product * size, 1);
    const one = datatype === "BOOL" ? true : datatype === "BYTES" ? "text" : 1;
    return { name, datatype, shape: sizes, data: new Array(Math.min(count, 200000)).fill(one) };
  });
  return JSON.stringify({ inputs });
}

async function show(name) {
  const path = `/v2/models/${encodeURIComponent(name)}`;
  const metadata = await ask(path);
  const section = document.getElementById("model").content.firstElementChild.cloneNode(true);
  const part = (selector) => section.querySelector(selector);
  part("h2").textContent = name;
  part(".state").textContent = `version ${metadata.versions.join(", ")}`;
  for (const [kind, tensors] of [["input", metadata.inputs], ["output", metadata.outputs]]) {
    for (const { name, datatype, shape } of tensors) {
      const row = part("tbody").insertRow();
      for (const text of [kind, name, datatype, `[${shape.join(", ")}]`]) row.insertCell().textContent = text;
    }
  }
  part("textarea").value = example(metadata);
  part("a").href = `/graph/${encodeURIComponent(name)}`;
  part("button").addEventListener("click", async () => {
    const answer = part(".answer");
    const started = performance.now();
    try {
      const content = await ask(`${path}/infer`, { method: "POST", body: part("textarea").value });
      answer.className = "answer";
      answer.textContent = JSON.stringify(content).slice(0, 20000);
    } catch (error) {
      answer.className = "answer error";
      answer.textContent = error.message;
    }
    part(".latency").textContent = `${(performance.now() - started).toFixed(1)} ms`;
  });
  document.getElementById("models").append(section);
  const live = part(".live");
  setInterval(async () => {
    try {
      const [{ inference_stats: stats, inference_count: rows }] = (await ask(`${path}/stats`)).model_stats;
      const { count, ns } = stats.success;
      live.textContent = `${count} requests, ${rows} rows, ${stats.fail.count} failed, mean ${count ? (ns / count / 1e6).toFixed(2) : 0} ms`;
    } catch (error) {
      live.textContent = error.message;
    }
  }, 1000);
}

async function start() {
  const models = document.getElementById("models");
  models.replaceChildren();
  try {
    const server = await ask("/v2");
    document.getElementById("server").textContent = `${server.name} ${server.version}`;
    for (const name of (await ask("/v2/models")).models) await show(name);
  } catch (error) {
    models.textContent = error.message;
  }
}

token.addEventListener("change", start);
start();
