/*
 * Says in plain words why a tick was late or a frame stuttered, from the figures alone. Pure: no page, no clock.
 */
import {F, PAGE, T, VISIBLE_ERROR_NANOS, lowerBound} from "./figures.js";

const NOTEWORTHY_NANOS = 0.5e6;
const USUAL_ROWS = 200;
const MOST_DEPTH = 3; // how many late ticks are followed back
const FREE = "the thread was free";

const ms = nanos => (Math.abs(nanos) < 99.95e6 ? (nanos / 1e6).toFixed(1) : (nanos / 1e6).toFixed(0)) + " ms";

/** Pauses of the virtual machine and absences of cores that overlap a time. */
function disturbances(figures, from, to) {
    const found = [];
    for (const [start, end, name] of figures.pauses) {
        if (start < to && end > from) {
            found.push(`the JVM paused for ${ms(end - start)} (${name})`);
        }
    }
    const away = new Map(); // the longest for each core
    for (const [core, start, end] of figures.away) {
        if (start < to && end > from && end - start > (away.get(core) ?? 0)) {
            away.set(core, end - start);
        }
    }
    for (const [core, nanos] of away) {
        found.push(`core ${core} was away for ${ms(nanos)}`);
    }
    return found;
}

/** The median of a part of the ticks around one. */
function usual(figures, row, part) {
    const index = lowerBound(figures.ticks, T.tick, row[T.tick]);
    const values = figures.ticks.slice(Math.max(0, index - USUAL_ROWS), index + USUAL_ROWS).map(part).sort((a, b) => a - b);
    return values[values.length >> 1] ?? 0;
}

const isLong = (nanos, usually) => nanos > Math.max(2 * usually, usually + NOTEWORTHY_NANOS);

/** What ran before a tick and made it start late. */
function beforeStart(figures, row, depth) {
    const late = ms(row[T.started] - row[T.due]);
    const previous = figures.row(row[T.tick] - 1);
    if (!previous || previous[T.ended] <= row[T.due]) {
        return [`it started ${late} late, although ${FREE}`];
    }
    const name = `tick ${previous[T.tick]}`;
    const found = [`it started ${late} late, because ${name} ended ${ms(previous[T.ended] - row[T.due])} after this one was due`];
    const after = previous[T.ended] - previous[T.published];
    if (isLong(after, usual(figures, previous, other => other[T.ended] - other[T.published]))) {
        found.push(`what ran after ${name} (events, queries, listeners) took ${ms(after)}`);
    }
    return depth < MOST_DEPTH ? found.concat(causes(figures, previous, depth + 1).map(cause => `of ${name}: ${cause}`)) : found;
}

function causes(figures, row, depth) {
    const found = [];
    if (row[T.started] - row[T.due] > NOTEWORTHY_NANOS) {
        found.push(...beforeStart(figures, row, depth));
    }
    const step = row[T.stepped] - row[T.started];
    const usualStep = usual(figures, row, other => other[T.stepped] - other[T.started]);
    if (isLong(step, usualStep) || step > row[T.period]) {
        const commands = row[T.commands] > 0 ? `, with ${row[T.commands]} commands before it` : "";
        found.push(`the step took ${ms(step)}, usually ${ms(usualStep)}${commands}`);
    }
    const capture = row[T.published] - row[T.stepped];
    const usualCapture = usual(figures, row, other => other[T.published] - other[T.stepped]);
    if (isLong(capture, usualCapture)) {
        found.push(`the capture took ${ms(capture)}, usually ${ms(usualCapture)}`);
    }
    return found;
}

function explainTick(figures, row) {
    const late = row[T.published] - row[T.due];
    const isLate = late > row[T.period];
    const sentences = [`Tick ${row[T.tick]} was published ${ms(late)} after it was due; its period is ${ms(row[T.period])}.`];
    if (row[T.givenUp] > 0) {
        sentences.push(`${ms(row[T.givenUp])} were given up.`);
    }
    const found = causes(figures, row, 0);
    const machine = disturbances(figures, Math.min(row[T.due], row[T.started]), row[T.published]);
    sentences.push(...found.map(cause => cause[0].toUpperCase() + cause.slice(1) + "."));
    if (machine.length > 0) {
        sentences.push(`Meanwhile ${machine.join(", and ")}.`);
    }
    if (isLate && machine.length === 0 && found.every(cause => cause.endsWith(FREE))) {
        sentences.push("Nothing here explains it.");
    }
    return sentences;
}

function explainFrame(figures, name, row) {
    const sentences = [];
    const who = name === PAGE ? "This page" : `View “${name}”`;
    if (row[F.held] > 0) {
        sentences.push(`${who} had to hold after tick ${row[F.tick]}: the next tick was not there.`);
    }
    if (Math.abs(row[F.error]) > VISIBLE_ERROR_NANOS) {
        sentences.push(`${who} moved ${ms(Math.abs(row[F.error]))} too ${row[F.error] > 0 ? "far" : "little"} in its frame at tick ${row[F.tick]}.`);
    }
    const machine = disturbances(figures, row[F.display] - row[F.since], row[F.completed]);
    if (machine.length > 0) {
        sentences.push(`Since its frame before ${machine.join(", and ")}.`);
    } else if (row[F.afterHold] > 0) {
        sentences.push("It went on after a hold.");
    }
    return sentences;
}

/** The tick that a frame waited for: the first late one of those that follow. */
function lateTickAfter(figures, tick) {
    for (let next = tick + 1; next <= tick + 3; next++) {
        const row = figures.row(next);
        if (row && row[T.published] - row[T.due] > row[T.period] / 2) {
            return row;
        }
    }
    return null;
}

/** Whether simulated time stood still or changed its speed while a tick was shown: frames look a few ticks behind. */
function speedChanged(figures, tick) {
    const rows = [-1, 0, 1, 2, 3, 4, 5].map(offset => figures.row(tick + offset)).filter(row => row);
    const isOther = (row, before) => Math.abs(row[T.due] - before[T.due] - before[T.period]) > before[T.period] / 100;
    return rows.some((row, index) => index > 0 && isOther(row, rows[index - 1]));
}

/** Why a tick, or a frame that showed it, was not smooth. `figures` is a Figures object, or has the same fields and `row`. */
export function explain(tick, figures) {
    const row = figures.row(tick);
    const frames = [];
    for (const [name, rows] of figures.frames) {
        const bad = rows.filter(frame => frame[F.tick] === tick && (frame[F.held] > 0 || Math.abs(frame[F.error]) > VISIBLE_ERROR_NANOS))
            .sort((a, b) => Math.abs(b[F.error]) - Math.abs(a[F.error]));
        if (bad.length > 0) {
            frames.push(...explainFrame(figures, name, bad[0]));
        }
    }
    const isBad = row && (row[T.published] - row[T.due] > row[T.period] || row[T.givenUp] > 0);
    const waitedFor = frames.length > 0 && !isBad ? lateTickAfter(figures, tick) : null;
    if (frames.length === 0 && !row) {
        return `Tick ${tick}: its figures are not kept.`;
    }
    if (waitedFor) {
        frames.push(...explainTick(figures, waitedFor));
    } else if (row && (isBad || frames.length === 0)) {
        frames.push(...explainTick(figures, row));
        if (!isBad) {
            frames.push("That is within its period.");
        }
    } else if (!frames.some(sentence => /^Since|^It went on/.test(sentence))) {
        frames.push(speedChanged(figures, tick) ? "Simulated time stood still, or changed its speed."
            : (row ? "The ticks around it were on time. " : "") + "Nothing else here explains it.");
    }
    return frames.join(" ");
}
