// Whatever goes wrong on this page stands at its end.
"use strict";
function complain(text) {
  const list = document.getElementById("errors");
  list.hidden = false;
  list.textContent += text + "\n";
}
window.addEventListener("error", (event) => complain(event.message));
window.addEventListener("unhandledrejection", (event) => complain(String(event.reason)));
document.addEventListener("securitypolicyviolation", (event) => complain("refused: " + event.blockedURI));
const toConsole = console.error;
console.error = (...words) => { complain(words.join(" ")); toConsole.apply(console, words); };
