/* The list of worlds. While it is open, it requests the worlds that match the filter once a second; a click opens one. */
import {byId, make, setText} from "./dom.js";
import {text} from "./strip.js";

const PERIOD_MILLIS = 1000;

export class Worlds {
    rows = new Map(); // name -> row of the table
    filter = null; // the filter that the rows match

    /** Creates the list. `page` has hello, connected and send(message). */
    constructor(page) {
        this.page = page;
        byId("worlds").ontoggle = () => this.ask();
        byId("worldFilter").oninput = () => this.ask();
        setInterval(() => this.ask(), PERIOD_MILLIS);
    }

    ask() {
        const {hello, connected, send} = this.page;
        if (hello?.worlds && connected && byId("worlds").open && !document.hidden) {
            send({type: "worlds", filter: byId("worldFilter").value});
        }
    }

    show({filter, total, matching, columns, rows, shown, opening, failure}) {
        const body = byId("worldRows");
        // While the user may be about to open a row, no row takes another's place.
        if (filter !== this.filter || !body.matches(":hover, :active, :focus-within")) {
            this.filter = filter;
            this.rows = new Map(rows.map(([name]) => [name, this.rows.get(name) ?? this.row(name)]));
            body.replaceChildren(...this.rows.values());
        }
        byId("worldColumns").replaceChildren(...["World", ...columns].map(title => make("th", title)));
        const numbers = new Map(rows.map(([name, ...values]) => [name, values]));
        for (const [name, row] of this.rows) {
            row.querySelector("button").ariaCurrent = String(name === shown);
            [...row.cells].slice(1).forEach(cell => cell.remove());
            row.append(...columns.map((_, index) => make("td", text(numbers.get(name)?.[index]))));
        }
        const listed = rows.length < matching ? `, of which the first ${rows.length} are listed` : "";
        const next = opening ? ` “${opening}” is shown once it ticks.` : "";
        setText("worldCount", failure ?? `${matching} of ${total} worlds${listed}.${next}`);
    }

    row(name) {
        const button = make("button", name);
        button.title = name;
        button.onclick = () => {
            this.page.send({type: "open", world: name});
            this.ask();
        };
        return make("tr", make("td", button));
    }
}
