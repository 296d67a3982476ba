/*
 * The connection to the server. A lost connection is opened again after growing pauses, then slowly for ever, and at once when the page is
 * seen again or the network is back.
 */

const SHORTEST_WAIT_MILLIS = 300; // doubled after each try
const LONGEST_WAIT_MILLIS = 4000;
const QUICK_TRIES = 10; // these take half a minute
const SLOW_WAIT_MILLIS = 15000; // the pause after the quick tries, and after an orderly end
const GOING_AWAY = 1001; // the server has closed the page

/**
 * Connects to the server. `listener` has hasEnded(), isLookingBack(), onState(isConnected, text), onClosed(why, isFault),
 * onMessage(object), onPicture(buffer, nanos), onError(error). A new connection clears the page's past, so none is opened while the user
 * looks back.
 */
export function connect(listener) {
    let socket;
    let tries = 0;
    let timer = 0; // the timer of the next try, 0 while a try runs

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
                tries = 0; // reset by a picture, not by a greeting: a server may greet, and close at once
                listener.onPicture(data, performance.now() * 1e6);
            }
        } catch (error) {
            listener.onError(error);
        }
    }

    function reopen() {
        timer = 0;
        if (listener.isLookingBack()) {
            reopenAfter(SLOW_WAIT_MILLIS);
        } else {
            open();
        }
    }

    function reopenAfter(millis) {
        timer = setTimeout(reopen, millis);
    }

    function reopenNow() {
        if (timer && !document.hidden) {
            clearTimeout(timer);
            reopen();
        }
    }

    async function lost({code, reason}) {
        const isQuick = tries < QUICK_TRIES;
        if (isQuick && (code === GOING_AWAY || listener.hasEnded())) {
            tries = QUICK_TRIES + 1;
            listener.onClosed("This page was closed by the program that served it. It comes back when the program does.", false);
            reopenAfter(SLOW_WAIT_MILLIS);
            return;
        }
        if (isQuick) {
            listener.onState(false, `Connection lost${reason ? ` (${reason})` : ""}. Reconnecting…`);
        }
        // An HTTP request tells the reason, because a refused socket has none.
        const signal = AbortSignal.timeout(LONGEST_WAIT_MILLIS); // a server that is about to stop may never answer
        const status = await fetch(".", {cache: "no-store", signal}).then(response => response.status, () => 0);
        if (status === 403) {
            listener.onClosed("This page’s token is no longer valid. Open the new link.", true);
            return;
        }
        if (tries === QUICK_TRIES) {
            const problem = reason ? `refuses it (${reason})` : status === 200 ? "answers, but refuses a socket: eight pages are open, a proxy"
                + ` passes no Upgrade, or hosts("${location.host}") is missing` : "does not answer";
            listener.onClosed(`The program that served this page ${problem}. The page tries again every ${SLOW_WAIT_MILLIS / 1000} s.`, true);
        }
        tries++;
        reopenAfter(isQuick ? Math.min(LONGEST_WAIT_MILLIS, SHORTEST_WAIT_MILLIS * 2 ** (tries - 1)) : SLOW_WAIT_MILLIS);
    }

    addEventListener("online", reopenNow);
    document.addEventListener("visibilitychange", reopenNow);
    open();
    return message => {
        if (socket.readyState === WebSocket.OPEN) {
            socket.send(JSON.stringify(message));
        }
    };
}
