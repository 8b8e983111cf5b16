// Measures every frame of the sheet and writes what it finds into #result. `FOLDS`: open every fold first.
// A number with its sign and unit is one thing; so is a date, a tag, a version.
const UNIT = /[+−±]?\d[\d.,]*(?:\s?(?:MiB|GB|t\/s|tok|ms|s|%|k)(?![A-Za-z]))?/g;

function widthProblems(doc) {
  const found = [];
  const page = doc.documentElement;
  if (page.scrollWidth > page.clientWidth) found.push(`page ${page.scrollWidth} > ${page.clientWidth}`);
  for (const element of doc.querySelectorAll('.markdown-body *')) {
    const name = element.tagName.toLowerCase();
    const inside = element.parentElement.closest('table, pre');
    if (inside) continue; // scrolls within its box, which is looked at itself
    const box = element.getBoundingClientRect();
    const around = element.parentElement.getBoundingClientRect();
    if (box.width && box.right > around.right + 1) found.push(`${name} leaves its parent by ${Math.round(box.right - around.right)}`);
    const folded = element.closest('details');
    if (element.clientWidth && element.scrollWidth > element.clientWidth + 1 && !(folded && (name === 'table' || name === 'pre')))
      found.push(`${name} ${element.scrollWidth} > ${element.clientWidth}`);
  }
  return found;
}

function brokenUnits(doc) {
  const found = [];
  for (const cell of doc.querySelectorAll('td, th')) {
    const walker = doc.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const match of node.data.matchAll(UNIT)) {
        const range = doc.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        const lines = new Set([...range.getClientRects()].filter((box) => box.width).map((box) => Math.round(box.top)));
        if (lines.size > 1) found.push(`${match[0]} in ${cell.textContent}`);
      }
  }
  return found;
}

addEventListener('load', () => {
  const result = {};
  for (const frame of document.querySelectorAll('iframe')) {
    const doc = frame.contentDocument;
    if (FOLDS) for (const fold of doc.querySelectorAll('details')) fold.open = true;
    const height = doc.documentElement.scrollHeight;
    frame.height = height;
    result[frame.dataset.name] = {
      viewport: frame.contentWindow.innerWidth,
      wide: widthProblems(doc),
      broken: brokenUnits(doc),
      tables: doc.querySelectorAll('table').length,
      height,
    };
  }
  document.querySelector('#result').textContent = JSON.stringify(result);
});
