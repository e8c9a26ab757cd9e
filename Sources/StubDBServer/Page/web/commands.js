// A request of the journal as a command of the shell.
import { base64Of, decoded } from "./text.js";

/** Signs that a terminal takes as commands when a person pastes them. */
const controls = /[\0-\x09\x0b-\x1f\x7f-\x9f]/g;

/** A word as a shell reads it; the form for signs that a terminal would take is that of bash, zsh and POSIX.1-2024. */
function quoted(word) {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (word.search(controls) < 0) return `'${word.replaceAll("'", "'\\''")}'`;
  const octal = (sign) => Array.from(new TextEncoder().encode(sign), (it) => `\\${it.toString(8).padStart(3, "0")}`).join("");
  return `$'${word.replace(/[\\']/g, "\\$&").replace(controls, octal)}'`;
}

/** The largest content that is written into a command; Linux allows words of 128 KiB. */
const mostInCommand = 100_000;

/** A command that reads content from its standard input. */
function fed(content, command) {
  return `printf %s ${base64Of(content)} | base64 -d | ${command}`;
}

/** The fields that a client sets by itself. */
const ownFields = new Set([
  "accept-encoding", "connection", "content-length", "host", "keep-alive", "te",
  "transfer-encoding", "upgrade",
]);

/** The fields that curl adds by default. */
const curlFields = ["accept", "user-agent"];

const fieldsOf = (entry) => entry.headers.filter(([name]) => !ownFields.has(name.toLowerCase()));

/** Sends the request of an entry to the server again, just as it was. */
export function curlCommand(entry, baseURL) {
  const target = entry.url.replace(/^[a-z]+:\/\/[^/?#]*/i, "");
  const body = entry.content.length > 0;
  const words = ["curl", "--globoff", "--path-as-is"];
  // With another word for the method, curl would wait for content that an answer to HEAD does not have.
  if (entry.method === "HEAD") words.push("--head");
  else if (entry.method !== "GET" || body) words.push("-X", entry.method);
  words.push(baseURL + target);
  for (const [name, value] of fieldsOf(entry)) {
    words.push("-H", value === "" ? `${name};` : `${name}: ${value}`);
  }
  // The host decides which origin the request stands for.
  const host = entry.headers.find(([name]) => name.toLowerCase() === "host")?.[1];
  if (host && host !== new URL(baseURL).host) words.push("-H", `Host: ${host}`);
  const own = body ? [...curlFields, "content-type", "expect"] : curlFields;
  for (const name of own) {
    if (!entry.headers.some(([other]) => other.toLowerCase() === name)) words.push("-H", `${name}:`);
  }
  // Curl sends no content with --head.
  const isSent = body && entry.method !== "HEAD";
  const text = textForCommand(entry.content);
  if (isSent) words.push(...(text === null ? ["--data-binary", "@-"] : ["--data-raw", text]));
  const command = words.map(quoted).join(" ");
  return isSent && text === null ? fed(entry.content, command) : command;
}

/** Content as a word of a command; null for what has to come from elsewhere: words are text without NUL. */
function textForCommand(content) {
  const text = content.length <= mostInCommand ? decoded(content) : null;
  return text?.includes("\0") ? null : text;
}

/** Asks on the command line which stub answers the request of an entry. */
export function matchCommand({ scenario, overlays }, entry) {
  const { content } = entry;
  const text = textForCommand(content);
  const words = ["stubdb", "match", scenario, entry.method, entry.url];
  for (const overlay of overlays) words.push("--overlay", overlay);
  for (const [name, value] of fieldsOf(entry)) words.push("-H", `${name}: ${value}`);
  // A text that begins with @ would name a file, and one that begins with a dash an option.
  if (content.length > 0) words.push(text === null ? "--data=@-" : `--data=${text.startsWith("@") ? "@" : ""}${text}`);
  const command = words.map(quoted).join(" ");
  return content.length > 0 && text === null ? fed(content, command) : command;
}
