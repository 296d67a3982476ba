/* Explains in sentences why a tick was late or a frame stuttered, from the metrics alone. Pure: no page, no clock. */
import {SLOW_NANOS, VISIBLE_ERROR_NANOS, quantile} from "./metrics.js";

const NOTEWORTHY_MILLIS = 0.5;
const USUAL_TICKS = 200;
const COST_TICKS = 20; // the number of ticks in the mean of `Dilation`
const PRESENT_TICKS = 3;
const MAX_DEPTH = 3; // the maximum of late ticks in a row that are traced back
const FREE = "the thread was free";
const SLOW_FRAME = 2; // a frame is slow if it takes more than this many times as long as usual

const ms = millis => millis.toFixed(Math.abs(millis) < 99.95 ? 1 : 0) + " ms";

/** Pauses of the virtual machine that overlap a time, as the end of a sentence; empty if there are none. */
function pauses(metrics, from, to) {
    return metrics.pauses.filter(one => one.from < to && one.to > from)
        .map(pause => `the JVM paused for ${ms((pause.to - pause.from) / 1e6)} (${pause.name})`).join(", and ");
}

/** Says how long a part of a tick took, if that is long compared with the ticks around it. */
function ifLong(metrics, row, part, subject, max = Infinity) {
    const usual = quantile(metrics.ticks.filter(other => Math.abs(other.tick - row.tick) <= USUAL_TICKS).map(other => other[part]), 0.5);
    const isLong = row[part] > max || row[part] > Math.max(2 * usual, usual + NOTEWORTHY_MILLIS);
    return isLong ? [`${subject} took ${ms(row[part])}, usually ${ms(usual)}`] : [];
}

/** Says what made a tick late, including the previous ticks that it waited for. */
function causes(metrics, row, depth = 0) {
    const found = [];
    const previous = metrics.row(row.tick - 1);
    if (row.lateness > NOTEWORTHY_MILLIS && !(previous?.ended > row.due)) {
        found.push(`it started ${ms(row.lateness)} late, although ${FREE}`);
    } else if (row.lateness > NOTEWORTHY_MILLIS) {
        const name = `tick ${previous.tick}`;
        const ended = ms((previous.ended - row.due) / 1e6);
        found.push(`it started ${ms(row.lateness)} late, because ${name} ended ${ended} after this one was due`);
        found.push(...ifLong(metrics, previous, "after", `what ran after ${name} (events, queries, listeners)`));
        found.push(...(depth < MAX_DEPTH ? causes(metrics, previous, depth + 1).map(cause => `of ${name}: ${cause}`) : []));
    }
    const commands = row.commands > 0 ? `, with ${row.commands} commands before it` : "";
    found.push(...ifLong(metrics, row, "step", "the step", row.period).map(cause => cause + commands));
    return found.concat(ifLong(metrics, row, "capture", "the capture"));
}

function explainTick(metrics, row) {
    const found = causes(metrics, row);
    const taken = metrics.takenOf(row.tick);
    const paused = pauses(metrics, Math.min(row.due, row.started), row.published);
    const sentences = [`Tick ${row.tick} was published ${ms(row["publish delay"])} after it was due; its period is ${ms(row.period)}.`];
    if (row.skipped > 0) {
        sentences.push(`${ms(row["skipped (ms)"])} were skipped.`);
    }
    if (row.slowed > 0) {
        const works = metrics.ticks.filter(other => other.tick > row.tick - COST_TICKS && other.tick <= row.tick).map(other => (other.ended - other.started) / 1e6);
        const mean = works.reduce((sum, work) => sum + work, 0) / works.length;
        const work = Math.max(mean, Math.min(...works.slice(-PRESENT_TICKS)));
        const why = work > row.wantedPeriod / 1e6 ? `ticks take ${ms(work)}` : "ticks ended late shortly before";
        sentences.push(`Slow motion: ${(row["speed (%)"] / 100).toFixed(2)} of the requested speed, because ${why}.`);
    }
    sentences.push(...found.map(cause => cause[0].toUpperCase() + cause.slice(1) + "."));
    if (taken) {
        sentences.push(`Who took its time: ${taken}.`);
    } else if (row["publish delay"] > row.period) {
        sentences.push("Who took its time is known in a few seconds.");
    }
    if (paused) {
        sentences.push(`Meanwhile ${paused}.`);
    }
    return sentences;
}

/** Says why a frame of this page was bad, and whether that explains the stutter. */
function explainFrame(metrics, row) {
    const sentences = [];
    if (row.isHold) {
        sentences.push(`This page had to hold after tick ${row.tick}: the next tick was not there.`);
    }
    if (Math.abs(row.error) > VISIBLE_ERROR_NANOS) {
        const error = ms(Math.abs(row.error) / 1e6);
        sentences.push(`This page moved ${error} too ${row.error > 0 ? "far" : "little"} in its frame at tick ${row.tick}.`);
    }
    const paused = pauses(metrics, row.display - row.since, row.display);
    const usual = quantile(metrics.frames.map(other => other.since), 0.5);
    const isSlow = row.since > SLOW_FRAME * usual || row.since > SLOW_NANOS;
    if (isSlow) {
        sentences.push(`It drew no frame for ${ms(row.since / 1e6)}, usually ${ms(usual / 1e6)}: the browser is slow, not the world.`);
    }
    if (paused) {
        sentences.push(`Since its previous frame ${paused}.`);
    } else if (row.isAfterHold) {
        sentences.push("It resumed after a hold.");
    }
    return {sentences, isExplained: paused !== "" || isSlow || row.isAfterHold};
}

/** Says why a tick, or a frame that showed it, was not smooth. */
export function explain(tick, metrics) {
    const row = metrics.row(tick);
    const bad = metrics.frames.filter(frame => frame.tick === tick && frame.isBad).sort((a, b) => Math.abs(b.error) - Math.abs(a.error));
    const frame = bad.length > 0 ? explainFrame(metrics, bad[0]) : null;
    const sentences = frame?.sentences ?? [];
    // A frame shows a moment a few ticks ago. If the ticks after that moment are late, the frame waits for the first of them.
    const around = metrics.ticks.filter(other => other.tick >= tick - 1 && other.tick <= tick + 5);
    const waitedFor = around.find(other => other.tick > tick && other.tick <= tick + 3 && other["publish delay"] > other.period / 2);
    const speedChanged = around.some((other, index) => index > 0
        && Math.abs((other.due - around[index - 1].due) / 1e6 - around[index - 1].period) > around[index - 1].period / 100);
    if (row?.isBad || (row && !frame)) {
        sentences.push(...explainTick(metrics, row), ...(row.isBad ? [] : ["That is within its period."]));
    } else if (!frame) {
        sentences.push(`Tick ${tick}: its metrics are not kept.`);
    } else if (waitedFor) {
        sentences.push(...explainTick(metrics, waitedFor));
    } else if (!frame.isExplained) {
        sentences.push(speedChanged ? "Simulated time stood still, or changed its speed."
            : (row ? "The ticks around it were on time. " : "") + "Nothing else here explains it.");
    }
    return sentences.join(" ");
}
