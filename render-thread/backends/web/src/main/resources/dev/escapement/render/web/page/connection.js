/* The connection to the server: opened again with growing pauses when it is lost, until the token turns out to be invalid. */

const SHORTEST_WAIT_MILLIS = 300;
const LONGEST_WAIT_MILLIS = 4000;

export class Connection {

    /** `listener` has onState(state, text), onMessage(object), onPicture(buffer, arrivedNanos) and onError(error). */
    constructor(listener) {
        this.listener = listener;
        this.waitMillis = SHORTEST_WAIT_MILLIS;
        this.open();
    }

    open() {
        this.socket = new WebSocket(new URL("live", location.href.replace(/^http/, "ws")));
        this.socket.binaryType = "arraybuffer";
        this.socket.onmessage = event => this.receive(event.data);
        this.socket.onclose = event => this.lost(event);
    }

    receive(data) {
        const arrivedNanos = performance.now() * 1e6;
        try {
            if (typeof data !== "string") {
                this.listener.onPicture(data, arrivedNanos);
                return;
            }
            const message = JSON.parse(data);
            if (message.type === "hello") {
                this.waitMillis = SHORTEST_WAIT_MILLIS;
                this.listener.onState("connected", "");
            }
            this.listener.onMessage(message);
        } catch (error) {
            this.listener.onError(error);
        }
    }

    send(message) {
        if (this.socket.readyState === WebSocket.OPEN) {
            this.socket.send(JSON.stringify(message));
        }
    }

    async lost(event) {
        const reason = event.reason ? ` (${event.reason})` : "";
        this.listener.onState("lost", `Connection lost${reason}. Reconnecting…`);
        // A refused socket does not say why, but a page does.
        const status = await fetch(".", {cache: "no-store"}).then(response => response.status, () => 0);
        if (status === 403) {
            this.listener.onState("forbidden", "This page’s token is no longer valid. Open the new link.");
            return;
        }
        setTimeout(() => this.open(), this.waitMillis);
        this.waitMillis = Math.min(LONGEST_WAIT_MILLIS, 2 * this.waitMillis);
    }
}
