/* Connects the parts of the page: messages, frames and buttons. */
import {AnimationError, PictureClock, Unevenness, simAt} from "./clock.js";
import {connect} from "./connection.js";
import {byId, legendEntry, make, setText} from "./dom.js";
import {explain} from "./explain.js";
import {Metrics, SLOW_NANOS, quantile} from "./metrics.js";
import {Past} from "./past.js";
import {Decoder} from "./protocol.js";
import {DisplayRhythm} from "./rhythm.js";
import {Selection} from "./selection.js";
import {Steering} from "./steering.js";
import {MAX_SHOWN_NANOS, Strip} from "./strip.js";
import {View, rendererName} from "./view.js";
import {Worlds} from "./worlds.js";

const NOTICE_MILLIS = 4000;
const REFRESH_MILLIS = 250;
const SPEED_FRAMES = 48;
const MIN_FPS = 10; // at a lower rate the means cover too few frames

const errors = [];
addEventListener("error", event => {
    fail(event.message);
    showStatus(event.message, true); // the message stays if the page cannot run at all, for example without WebGL
});
addEventListener("unhandledrejection", event => fail(event.reason));

if (!rendererName()) {
    document.querySelectorAll("main, nav, #strip").forEach(part => part.hidden = true);
    byId("banner").hidden = false;
    setText("banner", "This browser cannot draw the world: it has no WebGL 2, or that is turned off.");
    await new Promise(() => {}); // stops the script for ever, because the rest needs the view
}

/** The state that the parts of the page share. The first message adds: hello, ticksPerSecond, decoder, clock, metrics, past. */
const page = {
    view: new View(byId("scene")),
    mode: "live", // or "scrub"
    explained: null, // the explained tick
    connected: false,
    state: {historyFrom: 0, historyTo: 0}, // until the first message
    select: slot => selection.select(slot),
    send: message => send(message),
    scrubTo: tick => {
        setMode("scrub");
        page.past.moveTo(tick);
    },
    goOn: () => goOn(),
    explain: tick => {
        page.explained = tick;
        setText("explanation", explain(tick, page.metrics));
    },
};
const {view} = page;
const selection = page.selection = new Selection(page);
const steering = page.steering = new Steering(page);
const strip = new Strip(page);
const worlds = new Worlds(page);
let animationError;
let unevenness;
let unacknowledged = null; // the number of the newest live picture until it is acknowledged
let expectedSpeed = null;
let shown = {tick: null, alpha: 0}; // the drawn moment
let frameTimes = [];
const rhythm = new DisplayRhythm();
let present = null; // during a rewind the last tick before it, Infinity until that tick is known; otherwise null

const receivers = {
    waiting: ({why}) => showStatus(why, false),
    hello: message => {
        const tickNanos = 1e9 * message.rate[1] / message.rate[0];
        Object.assign(page, {
            hello: message, ticksPerSecond: 1e9 / tickNanos, decoder: new Decoder(tickNanos), clock: new PictureClock(tickNanos),
            metrics: new Metrics(tickNanos, 2 * MAX_SHOWN_NANOS), past: new Past(page), greetedMillis: performance.now(),
        });
        unacknowledged = page.connected ? unacknowledged : null; // a new connection has not sent this number
        onState(true, "");
        setText("title", message.title || "Escapement");
        byId("worldList").hidden = !message.worlds;
        worlds.ask();
        document.getElementById("policy").hidden = !message.threadPolicy;
        setText("granted", message.threadPolicy || "");
        setText("asked", message.threadPolicyDetails || "");
        document.title = message.title ? message.title + " – Escapement" : "Escapement";
        animationError = new AnimationError();
        unevenness = new Unevenness();
        view.bodies.clear();
        steering.letGo();
        view.contacts = [];
        view.joints = [];
        view.fitAnew();
        page.explained = null;
        live();
        page.select(-1);
    },
    shapes: message => {
        view.bodies.addShapes(message, page.clock.newest?.tick ?? 0, page.hello.historySeconds * page.ticksPerSecond);
        if (performance.now() < page.greetedMillis + NOTICE_MILLIS) {
            view.refit(); // the first bodies with known sizes have come
        }
    },
    ticks: message => page.metrics.addTicks(message.rows, page.state.scale || 1),
    machine: message => {
        page.metrics.addMachine(message);
        if (page.explained !== null && message.late.length > 0) {
            page.explain(page.explained); // it may be known by now what took the tick's time
        }
    },
    contacts: message => page.clock.newest && view.addContacts(message.list, page.clock.newest.origin),
    joints: message => view.addJoints(message),
    historyEnd: message => page.past.end(message),
    rewound: ({from, to}) => {
        present &&= from;
        notice(`Went back from tick ${from} to tick ${to}.`);
    },
    refused: message => {
        present = message.what === "rewind" ? null : present;
        notice(`Refused: ${message.what}. ${message.why}`);
    },
    worlds: message => worlds.show(message),
    state: message => {
        const {advice, counts, ended, failure, paused, running, scale} = page.state = message;
        byId("advice").hidden = advice === "";
        setText("advice", advice && `${advice}, in a program of your own.`);
        byId("counts").hidden = Object.keys(counts).length === 0;
        byId("counts").querySelector("dl").replaceChildren(...Object.entries(counts).flatMap(([name, count]) =>
            [make("dt", name.replaceAll("-", " ")), make("dd", count.toLocaleString("en"))]));
        steering.show(message);
        showEnd("", failure !== null);
        const speed = running ? "running" + (scale === 1 ? "" : ` at ${scale.toFixed(2)}×`) : "stands still";
        showStatus(failure ? "failed" : ended ? "ended" : paused ? "paused" : speed, failure !== null);
    },
};

function onPicture(picture) {
    if (!picture.isLive) {
        page.past.pictures.set(picture.tick, picture);
        return;
    }
    unacknowledged = picture.sequence;
    acknowledge();
    page.clock.add(picture);
    page.past.keep(picture);
    selection.add(picture);
}

/** Asks for the next picture by acknowledging the newest. A hidden page draws nothing, so it asks for none until it is seen again. */
function acknowledge() {
    if (unacknowledged !== null && !document.hidden) {
        page.send({type: "ack", sequence: unacknowledged});
        unacknowledged = null;
    }
}
document.addEventListener("visibilitychange", acknowledge);

function onState(isConnected, text) {
    page.connected = isConnected;
    showStatus(text, !isConnected);
    if (page.hello && !isConnected) {
        page.past.close();
        steering.showGoOn();
    }
}

/** Reports why the page was closed, unless the end of the world was reported before. */
function onClosed(why, isFault) {
    const isBad = isFault || Boolean(page.state.failure);
    page.connected = false;
    page.past?.close();
    page.hello && steering.show({...page.state, ended: true});
    showEnd(why, isBad);
    showStatus(page.state.ended ? byId("status").textContent : "closed", isBad);
}

/** Says that the world, or this page, has ended, and what the user can still view. */
function showEnd(why, isBad) {
    const {ended, failure, historyFrom, historyTo} = page.state;
    const seconds = Math.floor((historyTo - historyFrom) / page.ticksPerSecond);
    const end = failure ? `The world has failed: ${failure}.` : ended ? "The world has ended." : why;
    const last = seconds > 0 ? ` The last ${seconds} s are still here: drag along the time bar, or press Play.` : "";
    byId("banner").hidden = end === "";
    byId("banner").classList.toggle("bad", isBad);
    setText("banner", end + last);
}

const send = connect({
    onState,
    onClosed,
    hasEnded: () => page.state.ended && !page.hello.worlds,
    isLookingBack: () => page.mode === "scrub",
    onMessage: message => receivers[message.type]?.(message),
    onPicture: (buffer, arrivedNanos) => onPicture(page.decoder.decode(buffer, arrivedNanos)),
    onError: fail,
});

function showStatus(text, isBad) {
    setText("status", text);
    byId("status").classList.toggle("bad", isBad);
}

function fail(error) {
    errors.push(String(error));
    notice(String(error));
}

function notice(text) {
    setText("notice", text);
    byId("notice").hidden = false;
    clearTimeout(notice.timer);
    notice.timer = setTimeout(() => byId("notice").hidden = true, NOTICE_MILLIS);
}

function setMode(mode) {
    page.mode = mode;
    page.past.speed = 0;
    present = null;
    steering.showGoOn();
    byId("live").setAttribute("aria-pressed", String(mode === "live"));
}

function live() {
    setMode("live");
    animationError.previous = null; // the jump to the present is no animation error
    unevenness.restart();
}

/** Rewinds the world to the shown tick, from which it continues. The page shows that tick until the first tick after it arrives. */
function goOn() {
    const tick = Math.floor(page.past.position);
    if (page.mode !== "scrub" || !steering.mayRewind) {
        return;
    }
    if (tick >= page.state.historyTo) {
        live();
        return;
    }
    page.scrubTo(tick);
    present = Infinity;
    page.send({type: "rewind", tick});
}

function escape() {
    if (page.mode === "scrub" && steering.mayRewind) {
        strip.letGo();
        live();
    } else {
        clicks.deselect();
    }
}

function play() {
    const wasPlaying = page.past.speed !== 0;
    const speed = byId("speed").value * page.ticksPerSecond;
    if (page.mode === "live") {
        page.scrubTo(speed > 0 && !byId("banner").hidden ? page.state.historyFrom : shown.tick); // plays from the oldest after the end
    }
    page.past.speed = wasPlaying ? 0 : speed;
}

function stepShown(ticks) {
    const {position} = page.past;
    page.scrubTo(ticks + (page.mode === "live" ? shown.tick : ticks > 0 ? Math.floor(position) : Math.ceil(position)));
}

/** Shows the previous or next stutter, counted from the last explained one. */
function nextStutter(direction) {
    const ticks = page.metrics.stutters.map(stutter => stutter.tick).sort((a, b) => a - b);
    const tick = direction < 0 ? ticks.findLast(other => other < (page.explained ?? Infinity)) : ticks.find(other => other > (page.explained ?? -1));
    if (tick !== undefined) {
        page.explain(tick);
        page.scrubTo(tick);
    }
}

// The next frame is requested by a message, which queues behind all waiting messages. Otherwise slow drawing would starve the messages.
const turns = new MessageChannel();
turns.port2.onmessage = () => requestAnimationFrame(frame);

function frame(millis) {
    turns.port1.postMessage(0);
    const {clock, decoder, past, ticksPerSecond} = page;
    const elapsed = millis - (frameTimes.at(-1) ?? millis);
    frameTimes = [...frameTimes.filter(time => time > millis - 1000), millis];
    const nanos = rhythm.moment(millis * 1e6);
    if (!clock?.frame(nanos)) {
        return;
    }
    if (past.play(elapsed) || (present !== null && clock.a.tick > present)) {
        live();
    }
    const isLive = page.mode === "live";
    const pair = isLive ? clock : past.pair();
    if (pair) {
        view.moveOrigin(pair.a.origin);
        view.fit(pair.a);
        const ticks = pair.alpha * (pair.b.tick - pair.a.tick);
        shown = {tick: pair.a.tick + Math.floor(ticks), alpha: ticks - Math.floor(ticks)};
    }
    const tick = shown.tick + shown.alpha;
    view.prepare(byId("shadows").checked);
    view.drawContacts(tick, ticksPerSecond, byId("contacts").checked);
    if (isLive) {
        measure(nanos);
    }
    if (pair) {
        view.bodies.draw(pair, view.origin, ticksPerSecond, isLive ? decoder.live.bodies : null);
        view.drawJoints(pair, tick, byId("joints").checked);
    }
    selection.frame(tick);
    steering.frame();
    view.render();
    setText("shownTick", isLive || shown.alpha === 0 ? String(shown.tick) : `${shown.tick}.${Math.floor(10 * shown.alpha)}`);
    if (!isLive) {
        strip.drawBar();
    }
}

/** Measures the animation error and the unevenness of a frame in live mode. */
function measure(nanos) {
    const {clock, connected, metrics, state} = page;
    if (!state.ended && connected && clock.isWarm) {
        const display = clock.serverNanos(nanos);
        const error = animationError.frame(clock.simNanos, clock.newest, display, clock.sinceNanos);
        const speed = state.paused ? 0 : state.scale;
        if (speed === 0 || speed !== expectedSpeed) {
            unevenness.restart();
        }
        expectedSpeed = speed;
        unevenness.frame(clock.simNanos, clock.sinceNanos);
        metrics.addFrame({display, holds: clock.holds, error, lookBehind: simAt(clock.newest, display) - clock.simNanos, tick: shown.tick});
    }
}

/** Updates the texts. Called a few times a second. */
function refresh() {
    if (!page.hello || document.hidden) {
        return;
    }
    if (view.isLost) {
        notice("The browser has lost the graphics card, so this page draws nothing. If that lasts, reload the page.");
    }
    const {mean, p99} = unevenness.percent;
    const frames = page.metrics.frames.slice(-SPEED_FRAMES);
    const lookBehind = (frames.at(-1)?.lookBehind ?? 0) / 1e6;
    const isSlow = quantile(frames.map(row => row.since), 0.5) > SLOW_NANOS;
    byId("slow").hidden = !isSlow;
    setText("slow", `This page draws slowly${view.isSoftware ? ", without a graphics card" : ""}. Stutters of “this page” are the browser’s, not the world’s.`);
    const evenness = frameTimes.length < MIN_FPS ? ["too few frames to measure how even they are"]
        : [`animation error ${animationError.meanMillis.toFixed(2)}\u00a0ms`, `uneven by ${mean.toFixed(1)}\u00a0%, p99 ${p99.toFixed(0)}\u00a0%`];
    setText("summary", [`${view.bodies.count} bodies drawn`, `${frameTimes.length} fps`, ...evenness,
        `shown ${lookBehind.toFixed(0)}\u00a0ms after it happened (look\u2011behind)`].join(" · "));
    strip.draw();
    const entries = view.bodies.legend();
    byId("legend").hidden = entries.length === 0;
    byId("legend").replaceChildren(...entries.map(([name, colour]) => legendEntry("li", name, colour)));
    setText("play", page.past.speed === 0 ? "Play" : "Stop");
    selection.show(shown.tick);
}

function showColours() {
    view.bodies.bySpeed = byId("colours").value === "speed";
    view.setColours();
}

const clicks = {
    live, play, goOn, back: () => stepShown(-1), forward: () => stepShown(1), fit: () => view.fitAnew(),
    stutterBack: () => nextStutter(-1), stutterForward: () => nextStutter(1), deselect: () => page.select(-1),
    pause: () => steering.pause(), step: () => page.send({type: "step"}),
};
for (const [id, action] of Object.entries(clicks)) {
    byId(id).addEventListener("click", () => page.hello && action());
}
const keys = {
    ArrowLeft: clicks.back, ArrowRight: clicks.forward, l: live, p: play, Enter: goOn, Escape: escape,
    " ": () => steering.isAllowed && clicks.pause(), ".": () => steering.isAllowed && clicks.step(),
};
const KEYS_BY_CODE = {KeyL: "l", KeyP: "p", Space: " ", Period: ".", NumpadDecimal: "."};
const REPEATED_KEYS = ["ArrowLeft", "ArrowRight", "."]; // the others act once, however long they are held

/** The name of a key in `keys`: by its letter in any Latin layout, and by its place in a layout of other letters. */
function keyOf({key = "", code}) {
    const produced = key.length === 1 ? key.toLowerCase() : key;
    return keys[produced] || /^[a-z]$/.test(produced) ? produced : KEYS_BY_CODE[code];
}
addEventListener("keydown", event => {
    const key = keyOf(event);
    const typing = event.target.closest?.("input, select") || ([" ", "Enter"].includes(key) && event.target.closest?.("button, summary"));
    const action = typing || event.ctrlKey || event.metaKey || event.altKey ? null : keys[key];
    if (action && page.hello) {
        event.preventDefault();
        if (!event.repeat || REPEATED_KEYS.includes(key)) {
            action();
        }
    }
});
addEventListener("click", event => event.detail > 0 && event.target.closest?.("button")?.blur()); // else space would click again, not pause
byId("speed").onchange = () => page.past?.speed && (page.past.speed = byId("speed").value * page.ticksPerSecond);
byId("shadows").checked = !view.isSoftware;
byId("colours").onchange = showColours;
matchMedia("(prefers-color-scheme: dark)").onchange = showColours;
showColours();
setInterval(refresh, REFRESH_MILLIS);
requestAnimationFrame(frame);

/** The access for tests in a browser. */
window.escapement = {page, errors, DisplayRhythm, get shown() { return shown; }};
