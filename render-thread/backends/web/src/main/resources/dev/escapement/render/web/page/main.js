/* Puts the page together: what arrives, what each frame draws, and what the buttons do. */
import {legend} from "./bodies.js";
import {AnimationError, PictureClock, simAt} from "./clock.js";
import {Connection} from "./connection.js";
import {byId, colours, make, setText, swatch} from "./dom.js";
import {explain} from "./explain.js";
import {F, Figures, PAGE, T} from "./figures.js";
import {Past} from "./past.js";
import {Decoder} from "./protocol.js";
import {Selection} from "./selection.js";
import {Steering} from "./steering.js";
import {Strip} from "./strip.js";
import {View} from "./view.js";

const NOTICE_MILLIS = 4000;
const REFRESH_MILLIS = 250;
const MOST_SHOWN_NANOS = 30e9;
const LEAST_SHOWN_NANOS = 5e9;

const errors = [];
addEventListener("error", event => {
    fail(event.message);
    showStatus(event.message, true); // it stays if the page cannot run at all, for example without WebGL
});
addEventListener("unhandledrejection", event => fail(event.reason));

const compares = new URLSearchParams(location.search).get("pictures") === "3";
const VIEWS = compares ? ["newest", "two latest by arrival", "Escapement"] : ["Escapement"];
const view = new View(byId("scene"), VIEWS.length);
const captions = VIEWS.map(() => make("span"));
byId("captions").append(...VIEWS.map((name, index) => make("p", "", make("strong", name), captions[index])));
byId("captions").hidden = !compares;

let connected = false;
let hello = null;
let state = {};
let decoder, clock, figures, past, animationErrors, ticksPerSecond;
let mode = "live";
let shown = {tick: null, alpha: 0}; // what is drawn
let lastNanos = 0; // the end of the strip, server's nanoseconds
let frameTimes = [];
let explained = null;

const send = message => connection.send(message);
const selection = new Selection(view, send);
const select = slot => selection.select(decoder ? slot : -1, decoder?.live);
const canSteer = () => hello.controls && !state.ended;
const steering = new Steering(view, {
    send, select, canDrag: () => hello && canSteer() && mode === "live", generation: slot => decoder.live.generation[slot],
});
const strip = new Strip({explain: showExplanation, scrub: nanos => scrubTo(Math.floor(figures.tickAt(nanos))), look});

/** What the strip shows. While the past is looked at it stands still. */
function look() {
    if (!clock?.newest) {
        return null;
    }
    if (mode === "live" && connected && !state.ended) {
        lastNanos = clock.serverNanos(performance.now() * 1e6);
    }
    const cursor = mode === "live" ? lastNanos : figures.nanosOf(past.position);
    const to = Math.max(lastNanos, cursor);
    const historyFrom = figures.nanosOf(past.oldest);
    const known = to - Math.min(historyFrom, figures.ticks[0]?.[T.published] ?? to);
    const span = Math.min(MOST_SHOWN_NANOS, hello.historySeconds * 1e9, Math.max(LEAST_SHOWN_NANOS, known));
    return {figures, cursor, to, from: to - span, historyFrom, historyTo: figures.nanosOf(past.newest)};
}

const receivers = {
    hello: message => {
        hello = message;
        ticksPerSecond = message.rate[0] / message.rate[1];
        setText(byId("title"), message.title || "Escapement");
        document.title = message.title ? message.title + " – Escapement" : "Escapement";
        decoder = new Decoder(message.rate);
        clock = new PictureClock(1e9 / ticksPerSecond);
        past = new Past(send);
        figures = new Figures(1e9 / ticksPerSecond, 2 * MOST_SHOWN_NANOS);
        animationErrors = VIEWS.map(() => new AnimationError());
        view.bodies.clear();
        view.contacts = [];
        explained = null;
        live();
        select(-1);
        steering.hello(message);
    },
    shapes: message => view.bodies.shapes(message),
    ticks: message => figures.addTicks(message.rows),
    frames: message => figures.addFrames(message.name, message.rows),
    machine: message => figures.addMachine(message),
    contacts: message => clock.newest && view.addContacts(message.list, clock.newest.origin),
    historyEnd: message => past.end(message),
    refused: message => notice(`Refused: ${message.what}. ${message.why}`),
    path: message => selection.path(message, clock.newest.origin),
    state: message => {
        state = message;
        figures.scale = message.scale || 1;
        past.oldest = message.historyFrom;
        past.newest = message.historyTo;
        steering.show(message);
        byId("banner").hidden = !message.ended && !message.failure;
        setText(byId("banner"), message.failure ? `The world has failed: ${message.failure}` : "The world has ended: it was closed.");
        const running = "running" + (message.scale === 1 ? "" : ` at ${message.scale.toFixed(2)}×`);
        showStatus(message.failure ? "failed" : message.ended ? "ended" : message.paused ? "paused" : running, message.ended);
    },
};

const connection = new Connection({
    onState: (what, text) => {
        connected = what === "connected";
        showStatus(text, !connected);
    },
    onMessage: message => receivers[message.type]?.(message),
    onPicture: (buffer, arrivedNanos) => {
        const picture = decoder.decode(buffer, arrivedNanos);
        if (!picture.isLive) {
            past.add(picture);
            return;
        }
        send({type: "ack", sequence: picture.sequence});
        clock.add(picture);
        selection.add(picture);
        if (!view.origin) {
            view.moveOrigin(picture.origin);
            view.fit(picture);
        }
    },
    onError: fail,
});

function showStatus(text, isBad) {
    setText(byId("status"), text);
    byId("status").classList.toggle("bad", isBad);
}

function fail(error) {
    errors.push(String(error));
    notice(String(error));
}

function notice(text) {
    setText(byId("notice"), text);
    byId("notice").hidden = false;
    clearTimeout(notice.timer);
    notice.timer = setTimeout(() => byId("notice").hidden = true, NOTICE_MILLIS);
}

function showExplanation(tick) {
    explained = tick;
    setText(byId("explanation"), explain(tick, figures));
}

function setMode(newMode) {
    mode = newMode;
    past.speed = 0;
    byId("live").setAttribute("aria-pressed", String(mode === "live"));
}

function scrubTo(tick) {
    setMode("scrub");
    past.moveTo(tick);
}

function live() {
    setMode("live");
    animationErrors.forEach(error => error.previous = null); // the step back to the present is none
}

function play() {
    const wasPlaying = past.speed !== 0;
    if (mode === "live") {
        scrubTo(shown.tick);
    }
    past.speed = wasPlaying ? 0 : Number(byId("speed").value) * ticksPerSecond;
}

function stepShown(ticks) {
    scrubTo(ticks + (mode === "live" ? shown.tick : ticks > 0 ? Math.floor(past.position) : Math.ceil(past.position)));
}

/** Goes to the stutter before or after the one that was explained last. */
function nextStutter(direction) {
    const ticks = figures.stutters.map(stutter => stutter.tick).sort((a, b) => a - b);
    const tick = direction < 0 ? ticks.findLast(other => other < (explained ?? Infinity)) : ticks.find(other => other > (explained ?? -1));
    if (tick !== undefined) {
        showExplanation(tick);
        scrubTo(tick);
    }
}

// The next frame is asked for by a message behind those that wait. Otherwise slow drawing starves them.
const turns = new MessageChannel();
turns.port2.onmessage = () => requestAnimationFrame(frame);

function frame(millis) {
    turns.port1.postMessage(0);
    const elapsed = millis - (frameTimes.at(-1) ?? millis);
    frameTimes.push(millis);
    frameTimes = frameTimes.filter(time => time > millis - 1000);
    if (!clock?.frame(millis * 1e6)) {
        return;
    }
    if (past.play(elapsed)) {
        live();
    }
    const pair = mode === "live" ? clock : past.pair();
    if (pair) {
        view.moveOrigin(pair.a.origin);
        const ticks = pair.alpha * (pair.b.tick - pair.a.tick);
        shown = {tick: pair.a.tick + Math.floor(ticks), alpha: ticks - Math.floor(ticks)};
    }
    const moments = mode === "live" ? liveViews(millis * 1e6) : VIEWS.map(() => pair);
    const tick = shown.tick + shown.alpha;
    view.drawContacts(tick, ticksPerSecond, byId("contacts").checked);
    moments.forEach((moment, index) => {
        if (moment) {
            view.bodies.draw(moment.a, moment.b, moment.alpha, view.origin, ticksPerSecond, mode === "live" ? decoder.live : null);
        }
        if (index === VIEWS.length - 1) {
            selection.frame(tick, mode === "live", ticksPerSecond);
            steering.frame();
        }
        view.render(index);
    });
    setText(byId("shownTick"), mode === "scrub" && shown.alpha > 0 ? `${shown.tick}.${Math.floor(10 * shown.alpha)}` : String(shown.tick));
    if (mode === "scrub") {
        strip.drawBar();
    }
}

/** What each view shows of the present; measures the animation error of each. */
function liveViews(nanos) {
    const views = compares ? [clock.newestPublished(), clock.latestByArrival(), clock] : [clock];
    if (!state.ended && connected && clock.isWarm) {
        const serverNanos = clock.serverNanos(nanos);
        const lasts = views.map((one, index) => animationErrors[index].frame(one.simNanos, clock.newest, serverNanos, clock.sinceNanos));
        figures.addFrames(PAGE, [[serverNanos, serverNanos, clock.simNanos, clock.cover, clock.holds, clock.clamps, lasts.at(-1),
            simAt(clock.newest, serverNanos) - clock.simNanos, shown.tick]]);
    }
    return views;
}

/** Shows what changes slowly: a few times a second. */
function refresh() {
    if (!hello || document.hidden) {
        return;
    }
    const error = index => `animation error ${animationErrors[index].meanMillis.toFixed(2)} ms`;
    const lookBehind = (figures.frames.get(PAGE).at(-1)?.[F.lookBehind] ?? 0) / 1e6;
    setText(byId("summary"), `${view.bodies.count} bodies · ${frameTimes.length} fps · ${error(VIEWS.length - 1)} · look-behind ${lookBehind.toFixed(0)} ms`);
    captions.forEach((caption, index) => setText(caption, error(index)));
    strip.draw();
    if (strip.look) {
        const {from, to} = strip.look;
        const seconds = `${Math.round((to - from) / 1e9)} s`;
        setText(byId("stutters"), `${figures.stutters.filter(one => one.nanos >= from && one.nanos <= to).length} in ${seconds}`);
        setText(byId("span"), `${seconds} · red: stutter · shaded: JVM pause, core away`);
    }
    setText(byId("play"), past.speed === 0 ? "Play" : "Stop");
    selection.show(shown.tick, ticksPerSecond);
}

function showColours() {
    view.bodies.bySpeed = byId("colours").value === "speed";
    view.setColours(colours());
    byId("legend").replaceChildren(...legend(view.bodies.bySpeed).map(([name, colour]) => make("li", name, swatch(colour))));
}

const clicks = {
    live, play, back: () => stepShown(-1), forward: () => stepShown(1), fit: () => clock.newest && view.fit(clock.newest),
    stutterBack: () => nextStutter(-1), stutterForward: () => nextStutter(1),
};
for (const [id, action] of Object.entries(clicks)) {
    byId(id).addEventListener("click", () => hello && action());
}
const keys = {
    ArrowLeft: () => stepShown(-1), ArrowRight: () => stepShown(1), l: live, p: play, Escape: () => select(-1),
    " ": () => canSteer() && steering.pause(), ".": () => canSteer() && steering.step(),
};
addEventListener("keydown", event => {
    const typing = event.target.closest?.("input, select") || (event.key === " " && event.target.closest?.("button"));
    const action = typing || event.ctrlKey || event.metaKey || event.altKey ? null : keys[event.key];
    if (action && hello) {
        event.preventDefault();
        action();
    }
});
addEventListener("click", event => event.detail > 0 && event.target.closest?.("button")?.blur()); // so that space pauses, not clicks again
byId("speed").onchange = () => past && past.speed !== 0 && (past.speed = Number(byId("speed").value) * ticksPerSecond);
byId("shadows").checked = !view.isSoftware;
byId("shadows").onchange = () => view.setShadows(byId("shadows").checked);
byId("colours").onchange = showColours;
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showColours);
showColours();
setInterval(refresh, REFRESH_MILLIS);
requestAnimationFrame(frame);

/** What tests in a browser look at. */
window.escapement = {
    get connected() { return connected; },
    get mode() { return mode; },
    get shownTick() { return shown.tick; },
    get alpha() { return shown.alpha; },
    get paused() { return Boolean(state.paused); },
    get ended() { return Boolean(state.ended); },
    get failure() { return state.failure ?? null; },
    get bodies() { return view.bodies.count; },
    get picturesReceived() { return clock?.received ?? 0; },
    get errors() { return errors; },
    get fps() { return frameTimes.length; },
    get animationErrorMeanMs() { return animationErrors?.at(-1).meanMillis ?? 0; },
    position: slot => view.bodies.position(slot)?.toArray() ?? null,
    explain: tick => explain(tick, figures),
    select, scrubTo, live,
};
