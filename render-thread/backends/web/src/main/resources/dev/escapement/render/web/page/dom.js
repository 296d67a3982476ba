/* Access to the document. Texts are only set as text, never as HTML. */

export const byId = id => document.getElementById(id);

/** Returns a colour of the style, which follows the system's choice of light or dark. */
export const colour = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

export function setText(id, text) {
    if (byId(id).textContent !== text) {
        byId(id).textContent = text;
    }
}

export function make(name, ...children) {
    const node = document.createElement(name);
    node.append(...children);
    return node;
}

/** Creates an entry of a legend. */
export function legendEntry(tag, name, background) {
    const square = make("i");
    square.style.background = background;
    return make(tag, square, name);
}
