/*
 * The connection to the server. A lost connection is opened again after growing pauses, then slowly for ever, and at once when the page is
 * seen again or the network is back. A silent connection counts as lost, because a network may drop it without a close.
 */

const SHORTEST_WAIT_MILLIS = 300; // doubled after each try
const LONGEST_WAIT_MILLIS = 4000;
const QUICK_TRIES = 10; // these take half a minute
const SLOW_WAIT_MILLIS = 15000; // the pause after the quick tries, and after an orderly end
const GOING_AWAY = 1001; // the server has closed the page
const CHECK_MILLIS = 1000;
const SILENT_CHECKS = 5; // the server speaks twice a second, and every 3 s before it has a world to show
const GOOD_CHECKS = 10; // in a row: after these the line is good again

/**
 * Connects to the server. `listener` has hasEnded(), isLookingBack(), onState(isConnected, text), onClosed(why, isFault),
 * onMessage(object), onPicture(buffer, nanos), onError(error). A new connection clears the page's past, so none is opened while the user
 * looks back.
 */
export function connect(listener) {
    let socket;
    let tries = 0;
    let timer = 0; // the timer of the next try, 0 while a try runs
    let goodChecks = 0; // checks in a row before which a message came
    let silentChecks = 0; // checks, not seconds: while the page was suspended, it could receive nothing

    function open() {
        silentChecks = goodChecks = 0;
        socket = new WebSocket(new URL("live", location.href.replace(/^http/, "ws")));
        socket.binaryType = "arraybuffer";
        socket.onmessage = receive;
        socket.onclose = lost;
        const opening = socket;
        setTimeout(() => opening.readyState === WebSocket.CONNECTING && opening.close(), LONGEST_WAIT_MILLIS);
    }

    function receive({data}) {
        silentChecks = 0;
        try {
            if (typeof data === "string") {
                listener.onMessage(JSON.parse(data));
            } else {
                listener.onPicture(data, performance.now() * 1e6);
            }
        } catch (error) {
            listener.onError(error);
        }
    }

    /**
     * Abandons a silent socket. Each further try waits longer, because a slow line needs its time for a large message. A while without
     * silence resets that; one picture does not, because a large message may follow it.
     */
    function check() {
        if (socket.readyState !== WebSocket.OPEN) {
            return;
        }
        goodChecks = ++silentChecks <= 2 ? goodChecks + 1 : 0;
        tries = goodChecks >= GOOD_CHECKS ? 0 : tries;
        if (silentChecks >= SILENT_CHECKS * (1 + tries)) {
            socket.onmessage = socket.onclose = null; // the close of a half-open socket may take a minute
            socket.close();
            lost({reason: `nothing came for ${silentChecks} s`});
        }
    }

    function reopen() {
        timer = 0;
        if (listener.isLookingBack()) {
            reopenAfter(CHECK_MILLIS);
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
            const next = listener.isLookingBack() ? "“Live” reconnects." : "Reconnecting…";
            listener.onState(false, `Connection lost${reason ? ` (${reason})` : ""}. ${next}`);
        }
        // An HTTP request tells the reason, because a refused socket has none.
        const signal = AbortSignal.timeout(LONGEST_WAIT_MILLIS); // a server that is about to stop may never answer
        const status = await fetch(".", {cache: "no-store", signal}).then(response => response.status, () => 0);
        if (status === 403) {
            listener.onClosed("This page’s token is no longer valid. Open the new link.", true);
            return;
        }
        if (tries === QUICK_TRIES) {
            const problem = reason ? `does not serve it (${reason})` : status === 200 ? "answers, but refuses a socket: eight pages are"
                + ` open, a proxy passes no Upgrade, or hosts("${location.host}") is missing` : "does not answer";
            listener.onClosed(`The program that served this page ${problem}. The page tries again every ${SLOW_WAIT_MILLIS / 1000} s.`, true);
        }
        tries++;
        reopenAfter(isQuick ? Math.min(LONGEST_WAIT_MILLIS, SHORTEST_WAIT_MILLIS * 2 ** (tries - 1)) : SLOW_WAIT_MILLIS);
    }

    addEventListener("online", reopenNow);
    document.addEventListener("visibilitychange", reopenNow);
    setInterval(check, CHECK_MILLIS);
    open();
    return message => {
        if (socket.readyState === WebSocket.OPEN) {
            socket.send(JSON.stringify(message));
        }
    };
}
