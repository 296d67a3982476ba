/* The connection to the server: reopened after growing pauses when it is lost, unless the world has ended, and a few times only. */

const SHORTEST_WAIT_MILLIS = 300; // doubled at each try
const LONGEST_WAIT_MILLIS = 4000;
const MAX_TRIES = 10; // half a minute
const GOING_AWAY = 1001; // the server has closed the page

/** `listener` has hasEnded(), onState(isConnected, text), onClosed(why, isFault), onMessage(object), onPicture(buffer, nanos), onError(error). */
export function connect(listener) {
    let socket;
    let tries = 0;
    let isServed = false; // at the last try: the page itself, not its socket

    function open() {
        socket = new WebSocket(new URL("live", location.href.replace(/^http/, "ws")));
        socket.binaryType = "arraybuffer";
        socket.onmessage = receive;
        socket.onclose = lost;
        const opening = socket;
        setTimeout(() => opening.readyState === WebSocket.CONNECTING && opening.close(), LONGEST_WAIT_MILLIS);
    }

    function receive({data}) {
        try {
            if (typeof data === "string") {
                listener.onMessage(JSON.parse(data));
            } else {
                tries = 0; // not by a greeting: a server may greet, and close at once
                listener.onPicture(data, performance.now() * 1e6);
            }
        } catch (error) {
            listener.onError(error);
        }
    }

    async function lost({code, reason}) {
        const isClosed = code === GOING_AWAY || listener.hasEnded();
        if (isClosed || tries === MAX_TRIES) {
            const problem = reason ? `refuses it (${reason})` : isServed ? "answers, but refuses a socket: eight pages are open, a proxy passes no"
                + ` Upgrade, or hosts("${location.host}") is missing` : "does not answer";
            listener.onClosed(isClosed ? "This page was closed by the program that served it."
                : `The program that served this page ${problem}. Reload the page to try again.`, !isClosed);
            return;
        }
        listener.onState(false, `Connection lost${reason ? ` (${reason})` : ""}. Reconnecting…`);
        // A refused socket has no reason, but an HTTP request has a status.
        const signal = AbortSignal.timeout(LONGEST_WAIT_MILLIS); // a server that is about to stop may never answer
        const status = await fetch(".", {cache: "no-store", signal}).then(response => response.status, () => 0);
        isServed = status === 200;
        if (status === 403) {
            listener.onClosed("This page’s token is no longer valid. Open the new link.", true);
            return;
        }
        setTimeout(open, Math.min(LONGEST_WAIT_MILLIS, SHORTEST_WAIT_MILLIS * 2 ** tries++));
    }

    open();
    return message => {
        if (socket.readyState === WebSocket.OPEN) {
            socket.send(JSON.stringify(message));
        }
    };
}
