// The faults of a page for somebody who listens to it or has no mouse.
const faults = [];
const name = (element) => (element.getAttribute("aria-label") || element.textContent || element.title || "").trim();
if (!document.documentElement.lang) faults.push("the page has no language");
if (!document.title) faults.push("the page has no title");
if (document.querySelectorAll("main").length !== 1) faults.push("there is not one main");
if (document.querySelectorAll("h1").length !== 1) faults.push("there is not one h1");
let level = 0;
for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
  const own = Number(heading.tagName[1]);
  if (level && own > level + 1) faults.push(`${heading.tagName} ${heading.textContent} follows h${level}`);
  level = own;
}
for (const image of document.images) if (!image.hasAttribute("alt")) faults.push(`an image without alt: ${image.src}`);
for (const control of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
  if (!control.labels?.length && !control.getAttribute("aria-label")) faults.push(`no label: ${control.outerHTML.slice(0, 80)}`);
}
for (const element of document.querySelectorAll("button, a[href], summary")) {
  if (!name(element)) faults.push(`no name: ${element.outerHTML.slice(0, 80)}`);
}
const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
for (const id of new Set(ids)) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`the id ${id} is there twice`);
for (const attribute of ["aria-labelledby", "aria-describedby", "for"]) {
  for (const element of document.querySelectorAll(`[${attribute}]`)) {
    if (!document.getElementById(element.getAttribute(attribute))) faults.push(`${attribute} leads nowhere: ${element.outerHTML.slice(0, 80)}`);
  }
}
// Words must stand out from what is behind them: 4.5 to 1, large ones 3 to 1.
const numbers = (color) => {
  const parts = (color.match(/[\d.]+%?/g) || []).map(parseFloat);
  return /^color\(srgb/.test(color) ? [...parts.slice(0, 3).map((part) => part * 255), ...parts.slice(3)] : parts;
};
const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const behind = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const color = numbers(getComputedStyle(at).backgroundColor);
    if (color.length && (color[3] === undefined || color[3] > 0.9)) return color;
  }
  return [255, 255, 255];
};
const seen = new Set();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (seen.has(element) || !walker.currentNode.data.trim() || !element.checkVisibility() || element.closest(".visually-hidden, .skip, :disabled")) continue;
  seen.add(element);
  const style = getComputedStyle(element);
  const [a, b] = [light(numbers(style.color)), light(behind(element))].sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 600);
  if (ratio < (isLarge ? 3 : 4.5)) faults.push(`${ratio.toFixed(2)}: ${walker.currentNode.data.trim().slice(0, 40)}`);
}
return faults;
