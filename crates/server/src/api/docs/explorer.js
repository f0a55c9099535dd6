// Optional: sends the calls of the reference from the page. The key stays in this variable: it is never stored, and never part of an address.
const credentials = { apiKey: "", session: "" };

/** Headers of a response that a reader may act on. */
const SHOWN = [
  "content-type", "location", "etag", "retry-after", "ratelimit", "ratelimit-policy", "idempotency-replayed", "deprecation", "sunset",
  "allow", "www-authenticate", "tus-resumable", "upload-offset", "upload-length", "upload-expires", "x-request-id",
];
const MOST_SHOWN = 200_000;
const STREAM_MS = 10_000;
const SAFE = ["get", "head"];

let loading;
/** The OpenAPI document, requested when the first explorer is opened. */
function openapi() {
  loading ??= fetch("/openapi.json", { credentials: "omit" })
    .then((response) => {
      if (!response.ok) throw new Error(`The description could not be read: ${response.status}`);
      return response.json();
    })
    .catch((error) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function resolved(openapi, value) {
  if (!value?.$ref) return value;
  return value.$ref.slice(2).split("/").reduce((inner, name) => inner[name], openapi);
}

/** A labelled field; `control` is an input, a select or a text area. */
function field(label, note, control) {
  return element("label", { className: "field" }, element("span", {}, label, element("small", { textContent: ` ${note}` })), control);
}

function control(schema, example) {
  const options = schema?.enum ?? (schema?.type === "boolean" ? [true, false] : []);
  if (options.length === 0) {
    return element("input", { value: example ?? "", autocomplete: "off", spellcheck: false });
  }
  const names = ["", ...options.map(String)];
  return element("select", {}, ...names.map((name) => element("option", { value: name, textContent: name })));
}

/** The fields of the parameters, each with how it changes the request. */
function parameterFields(operation) {
  const used = (operation.parameters ?? []).filter(({ name }) => name !== "x-request-id");
  return used.map((parameter) => {
    const { name, in: place, required, schema, example } = parameter;
    const input = control(schema, required ? example : undefined);
    if (place === "path") input.required = true;
    const isList = schema?.type === "array";
    const note = `${place}${required ? ", required" : ""}${isList ? ", several with commas" : ""}`;
    return { node: field(name, note, input), input, name, place, isList };
  });
}

/** The fields of the body, and a function that returns what is sent. */
function bodyFields(openapi, operation) {
  const content = operation.requestBody?.content ?? {};
  const json = content["application/json"];
  if (json) {
    const text = JSON.stringify(json.example ?? {}, null, 2);
    const area = element("textarea", { value: text, spellcheck: false, rows: Math.min(20, text.split("\n").length + 1) });
    const read = () => (area.value.trim() === "" ? {} : { type: "application/json", body: area.value });
    return { nodes: [field("Body", "application/json", area)], read };
  }
  const form = content["multipart/form-data"];
  if (form) {
    const { properties = {} } = resolved(openapi, form.schema) ?? {};
    const inputs = Object.entries(properties).map(([name, schema]) => {
      const isFile = schema.format === "binary" || schema.contentMediaType !== undefined;
      return [name, isFile ? element("input", { type: "file" }) : control(schema), isFile];
    });
    const read = () => {
      const body = new FormData();
      for (const [name, input, isFile] of inputs) {
        if (isFile && input.files[0]) body.append(name, input.files[0]);
        if (!isFile && input.value !== "") body.append(name, input.value);
      }
      return { body };
    };
    return { nodes: inputs.map(([name, input]) => field(name, "form", input)), read };
  }
  const [type] = Object.keys(content);
  if (!type) return { nodes: [], read: () => ({}) };
  const input = element("input", { type: "file" });
  return { nodes: [field("Body", type, input)], read: () => (input.files[0] ? { type, body: input.files[0] } : {}) };
}

/** The field of the credentials that an operation takes, if it takes any; all of a kind have the same value. */
function credentialField(openapi, operation) {
  const schemes = (operation.security ?? openapi.security).flatMap(Object.keys);
  const kind = ["apiKey", "session"].find((name) => schemes.includes(name));
  if (!kind) return { nodes: [], kind };
  const input = element("input", { className: "secret", value: credentials[kind], autocomplete: "off", spellcheck: false });
  input.dataset.kind = kind;
  input.addEventListener("input", () => {
    credentials[kind] = input.value.trim();
    for (const other of document.querySelectorAll(`input.secret[data-kind="${kind}"]`)) if (other !== input) other.value = input.value;
  });
  const label = kind === "apiKey" ? "API key" : "Session token";
  const note = element("p", {
    className: "note",
    textContent: "It is kept in the memory of this page until you leave it: not stored, and not part of an address.",
  });
  return { nodes: [field(label, "Authorization", input), note], kind };
}

function address(path, parameters) {
  const query = new URLSearchParams();
  let target = path;
  for (const { name, place, input, isList } of parameters) {
    if (place === "path") target = target.replace(`{${name}}`, encodeURIComponent(input.value.trim()));
    if (place !== "query" || input.value === "") continue;
    for (const value of isList ? input.value.split(",") : [input.value]) query.append(name, value.trim());
  }
  return query.size > 0 ? `${target}?${query}` : target;
}

async function send(method, path, parameters, body, kind) {
  const headers = new Headers();
  if (kind && credentials[kind]) headers.set("Authorization", `Bearer ${credentials[kind]}`);
  if (body.type) headers.set("Content-Type", body.type);
  for (const { name, place, input } of parameters) {
    if (place === "header" && input.value !== "") headers.set(name, input.value);
  }
  const began = performance.now();
  // The cookie of the dashboard's session is not sent: what counts is the key.
  const options = { method: method.toUpperCase(), headers, credentials: "omit", cache: "no-store" };
  const response = await fetch(address(path, parameters), body.body === undefined ? options : { ...options, body: body.body });
  const took = Math.round(performance.now() - began);
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream")) return { response, took, text: await beginning(response) };
  if (type.startsWith("image/")) return { response, took, picture: await dataUrl(await response.blob()) };
  return { response, took, text: await response.text(), isJson: type.includes("json") };
}

/** What a stream, which has no end, brings within some seconds. */
async function beginning(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  setTimeout(() => reader.cancel(), STREAM_MS);
  let text = "";
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) text += piece.value;
  return text || `Nothing happened within ${STREAM_MS / 1000} seconds.`;
}

function dataUrl(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(blob);
  });
}

function pretty(text, isJson) {
  if (!isJson) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function shown({ response, took, text, isJson, picture }) {
  const status = element("span", { className: `status s${String(response.status)[0]}`, textContent: response.status });
  const nodes = [element("p", { className: "status-line" }, status, ` ${response.statusText} · ${took} ms`)];
  const headers = SHOWN.filter((name) => response.headers.has(name));
  const lines = headers.map((name) => `${name}: ${response.headers.get(name)}`).join("\n");
  if (lines) nodes.push(element("pre", { className: "headers", tabIndex: 0 }, element("code", { textContent: lines })));
  if (picture) nodes.push(element("img", { src: picture, alt: "The picture of the response" }));
  if (text) {
    const body = pretty(text, isJson);
    const cut = body.length > MOST_SHOWN ? `${body.slice(0, MOST_SHOWN)}\n… ${body.length - MOST_SHOWN} more characters` : body;
    nodes.push(element("pre", { className: "body", tabIndex: 0 }, element("code", { textContent: cut })));
  }
  return nodes;
}

/** The form that calls an operation. */
function explorer(openapi, path, method) {
  const operation = openapi.paths[path][method];
  const parameters = parameterFields(operation);
  const body = bodyFields(openapi, operation);
  const { nodes, kind } = credentialField(openapi, operation);
  const verb = method.toUpperCase();
  const button = element("button", { type: "submit", textContent: `Send ${verb}` });
  const result = element("div", { className: "result" });
  result.setAttribute("role", "status");
  const form = element("form", { noValidate: true }, ...nodes, ...parameters.map(({ node }) => node), ...body.nodes, button, result);
  let isArmed = SAFE.includes(method);
  const disarm = () => {
    isArmed = SAFE.includes(method);
    button.textContent = `Send ${verb}`;
    button.classList.remove("armed");
  };
  button.addEventListener("blur", disarm);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const missing = parameters.find(({ input }) => input.required && input.value.trim() === "");
    if (missing) {
      missing.input.focus();
      result.replaceChildren(element("p", { className: "problem", textContent: `${missing.name} is missing.` }));
      return;
    }
    if (!isArmed) {
      // What changes something is sent by a second click, or by Enter once more.
      isArmed = true;
      button.textContent = `Really send ${verb}?`;
      button.classList.add("armed");
      button.focus();
      return;
    }
    disarm();
    button.disabled = true;
    try {
      result.replaceChildren(...shown(await send(method, path, parameters, body.read(), kind)));
    } catch (error) {
      result.replaceChildren(element("p", { className: "problem", textContent: `No response: ${error.message}` }));
    }
    button.disabled = false;
    button.focus();
  });
  return form;
}

for (const article of document.querySelectorAll("article:has(.route)")) {
  const method = article.querySelector(".route .method").textContent.toLowerCase();
  const path = article.querySelector(".route code").textContent;
  const details = element("details", { className: "try" }, element("summary", { textContent: "Try it" }));
  details.addEventListener("toggle", async () => {
    if (!details.open || details.querySelector("form")) return;
    try {
      const form = explorer(await openapi(), path, method);
      if (!details.querySelector("form")) details.append(form);
    } catch (error) {
      details.append(element("p", { className: "problem", textContent: error.message }));
    }
  });
  article.querySelector(".samples").append(details);
}
