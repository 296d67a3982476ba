/* The few things that all parts do with the document. Texts are only ever set as text. */

export const byId = id => document.getElementById(id);

export function setText(node, text) {
    if (node.textContent !== text) {
        node.textContent = text;
    }
}

export function make(name, text, ...children) {
    const node = document.createElement(name);
    node.append(...children, text ?? "");
    return node;
}

/** The small square of a legend. */
export function swatch(colour) {
    const node = make("i");
    node.style.background = colour;
    return node;
}

/** The colours of the page, which follow the system's choice of light or dark. */
export function colours() {
    const style = getComputedStyle(document.documentElement);
    const names = ["text", "dim", "line", "sky", "grid", "red", "kept", "band", "away"];
    const all = Object.fromEntries(names.map(name => [name, style.getPropertyValue("--" + name).trim()]));
    return {...all, series: [1, 2, 3, 4, 5].map(index => style.getPropertyValue("--series" + index).trim())};
}
