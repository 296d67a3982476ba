/* Says in plain words why a tick was late or a frame stuttered, from the figures alone. Pure: no page, no clock. */
import {PAGE, VISIBLE_ERROR_NANOS, lowerBound, quantile} from "./figures.js";

const NOTEWORTHY_NANOS = 0.5e6;
const USUAL_ROWS = 200;
const MOST_DEPTH = 3; // how many late ticks are followed back
const FREE = "the thread was free";

const ms = nanos => (nanos / 1e6).toFixed(Math.abs(nanos) < 99.95e6 ? 1 : 0) + " ms";

/** Pauses of the virtual machine and absences of cores that overlap a time, as the end of a sentence; empty if there are none. */
function disturbances(figures, from, to) {
    const overlaps = one => one.from < to && one.to > from;
    const found = figures.pauses.filter(overlaps).map(pause => `the JVM paused for ${ms(pause.to - pause.from)} (${pause.name})`);
    const longest = new Map(); // for each core
    for (const away of figures.away.filter(overlaps)) {
        longest.set(away.core, Math.max(longest.get(away.core) ?? 0, away.to - away.from));
    }
    longest.forEach((nanos, core) => found.push(`core ${core} was away for ${ms(nanos)}`));
    return found.join(", and ");
}

/** The median of a part of the ticks around one. */
function usual(figures, row, part) {
    const index = lowerBound(figures.ticks, "tick", row.tick);
    const values = figures.ticks.slice(Math.max(0, index - USUAL_ROWS), index + USUAL_ROWS).map(other => other[part]);
    return quantile(values.sort((a, b) => a - b), 0.5);
}

/** Says how long a part of a tick took if that is long. */
function ifLong(figures, row, part, subject, limitNanos = Infinity) {
    const usually = usual(figures, row, part);
    const isLong = row[part] > limitNanos || row[part] > Math.max(2 * usually, usually + NOTEWORTHY_NANOS);
    return isLong ? [`${subject} took ${ms(row[part])}, usually ${ms(usually)}`] : [];
}

/** What ran before a tick and made it start late. */
function beforeStart(figures, row, depth) {
    const previous = figures.row(row.tick - 1);
    if (!previous || previous.ended <= row.due) {
        return [`it started ${ms(row.lateness)} late, although ${FREE}`];
    }
    const name = `tick ${previous.tick}`;
    return [
        `it started ${ms(row.lateness)} late, because ${name} ended ${ms(previous.ended - row.due)} after this one was due`,
        ...ifLong(figures, previous, "after", `what ran after ${name} (events, queries, listeners)`),
        ...(depth < MOST_DEPTH ? causes(figures, previous, depth + 1).map(cause => `of ${name}: ${cause}`) : []),
    ];
}

function causes(figures, row, depth) {
    const commands = row.commands > 0 ? `, with ${row.commands} commands before it` : "";
    return [
        ...(row.lateness > NOTEWORTHY_NANOS ? beforeStart(figures, row, depth) : []),
        ...ifLong(figures, row, "step", "the step", row.period).map(cause => cause + commands),
        ...ifLong(figures, row, "capture", "the capture"),
    ];
}

function explainTick(figures, row) {
    const sentences = [`Tick ${row.tick} was published ${ms(row.delay)} after it was due; its period is ${ms(row.period)}.`];
    if (row.givenUp > 0) {
        sentences.push(`${ms(row.givenUp)} were given up.`);
    }
    const found = causes(figures, row, 0);
    const machine = disturbances(figures, Math.min(row.due, row.started), row.published);
    sentences.push(...found.map(cause => cause[0].toUpperCase() + cause.slice(1) + "."));
    if (machine) {
        sentences.push(`Meanwhile ${machine}.`);
    } else if (row.delay > row.period && found.every(cause => cause.endsWith(FREE))) {
        sentences.push("Nothing here explains it.");
    }
    return sentences;
}

/** Why a frame was bad, and whether that explains it. */
function explainFrame(figures, name, row) {
    const sentences = [];
    const who = name === PAGE ? "This page" : `View “${name}”`;
    if (row.held > 0) {
        sentences.push(`${who} had to hold after tick ${row.tick}: the next tick was not there.`);
    }
    if (Math.abs(row.error) > VISIBLE_ERROR_NANOS) {
        sentences.push(`${who} moved ${ms(Math.abs(row.error))} too ${row.error > 0 ? "far" : "little"} in its frame at tick ${row.tick}.`);
    }
    const machine = disturbances(figures, row.display - row.since, row.completed);
    if (machine) {
        sentences.push(`Since its frame before ${machine}.`);
    } else if (row.isAfterHold) {
        sentences.push("It went on after a hold.");
    }
    return {sentences, isExplained: machine !== "" || row.isAfterHold};
}

/** Whether simulated time stood still or changed its speed while a tick was shown: frames look a few ticks behind. */
function speedChanged(figures, tick) {
    const rows = [-1, 0, 1, 2, 3, 4, 5].map(offset => figures.row(tick + offset)).filter(row => row);
    const isOther = (row, before) => Math.abs(row.due - before.due - before.period) > before.period / 100;
    return rows.some((row, index) => index > 0 && isOther(row, rows[index - 1]));
}

/** Why a tick, or a frame that showed it, was not smooth. */
export function explain(tick, figures) {
    const row = figures.row(tick);
    const frames = [];
    for (const [name, rows] of figures.frames) {
        const bad = rows.filter(frame => frame.tick === tick && frame.isBad).sort((a, b) => Math.abs(b.error) - Math.abs(a.error));
        frames.push(...bad.slice(0, 1).map(worst => explainFrame(figures, name, worst)));
    }
    const sentences = frames.flatMap(frame => frame.sentences);
    // A frame waits for the first late tick of those that follow.
    const waitedFor = [1, 2, 3].map(offset => figures.row(tick + offset)).find(next => next?.delay > next?.period / 2);
    if (row?.isBad || (row && frames.length === 0)) {
        sentences.push(...explainTick(figures, row), ...(row.isBad ? [] : ["That is within its period."]));
    } else if (frames.length === 0) {
        sentences.push(`Tick ${tick}: its figures are not kept.`);
    } else if (waitedFor) {
        sentences.push(...explainTick(figures, waitedFor));
    } else if (!frames.some(frame => frame.isExplained)) {
        sentences.push(speedChanged(figures, tick) ? "Simulated time stood still, or changed its speed."
            : (row ? "The ticks around it were on time. " : "") + "Nothing else here explains it.");
    }
    return sentences.join(" ");
}
