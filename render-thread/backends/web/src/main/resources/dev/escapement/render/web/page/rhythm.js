/*
 * The rhythm of the display: learns from the instants of the page's frames when the display shows them. It is for browsers whose clock has
 * coarse steps (of 16.7 ms, against the recognition of users). Such a clock shows only in which step a frame came, and two frames may have
 * the same instant. But each frame comes at least one slot of the display after the frame before. So this code searches for a line instant
 * = origin + slot * period from which no frame differs by more than half a step (estimation by bounded errors: Milanese and Belforte, IEEE
 * Transactions on Automatic Control, 1982). A frame that would be too late for its slot has missed some. If a step has two slots or more, a
 * late frame looks like a frame in time. Then the line is fitted over a longer time, each frame gets the next slot, and missed slots are
 * found later. If no such line exists, a frame shows its own instant: with a variable refresh rate, or a clock that is fine enough to show
 * how frames differ. All instants are nanoseconds.
 */

const MIN_HERTZ = 24;
const MAX_HERTZ = 360;
const MIN_CALLS = 32;
const MIN_NANOS = 0.7e9;
const MIN_NANOS_AGAIN = 1.6e9; // the shortest time for a new line, after frames left the previous one
const MAX_NANOS = 2e9;
const MAX_GAP_NANOS = 0.25e9;
const CALLS_PER_TRY = 8;
const MAX_ROUNDING_NANOS = 0.3e6;
const SLACK_NANOS = 1.2e6;
const MAX_MISSED = 0.08;
const COARSE_STEP_PERIODS = 1.4; // if a step of the clock is longer than this, several frames have the same instant
const MIN_COARSE_NANOS = 1e9; // the shortest time for coarse steps: over a shorter time, frames of a variable rate look even
const MAX_STEP_PERIODS = 8;
const PERIOD_STEP = 0.0005;
const ORIGIN_STEP = 0.1; // the step between tried origins, as a part of the tolerance
const EVEN_PART = 0.9; // if more than this part of the frames come one step after the frame before, frames are even already
const PHASE_GAIN = 1 / 256;
const SPREAD_FRAMES = 16;
const MAX_STRAYS = 3;
const MISSED_STRAYS = 0.5; // a frame that comes a slot or more too late counts as this many strays; every ninth frame may come so late
const FORGIVEN = 1 / 16;

/** Returns the step of the clock: all differences between instants are its multiples; 0 if there is none, or frames are even. */
function clockStep(calls) {
    const differences = calls.slice(1).map((nanos, index) => nanos - calls[index]).filter(nanos => nanos > 1e3);
    const least = Math.min(...differences);
    const isStep = step => differences.every(nanos => Math.abs(nanos - Math.round(nanos / step) * step) < MAX_ROUNDING_NANOS);
    const steps = differences.filter(nanos => Math.abs(nanos - least) < MAX_ROUNDING_NANOS).length;
    if (isStep(least) && steps > EVEN_PART * (calls.length - 1)) {
        return 0;
    }
    return [1, 2, 3].map(part => least / part).find(isStep) ?? 0;
}

/**
 * Gives each call the first slot within the tolerance that follows the slot of the previous call, so that as few slots as possible are
 * missed. Returns null if a call is too early for its slot.
 */
function slots(calls, origin, period, tolerance) {
    const numbers = [];
    let squares = 0;
    let slot = -1;
    for (const nanos of calls) {
        const since = nanos - calls[0] - origin;
        slot = Math.max(slot + 1, Math.ceil((since - tolerance) / period));
        const error = since - slot * period;
        if (error < -tolerance) {
            return null;
        }
        squares += error * error;
        numbers.push(slot);
    }
    return {numbers, squares, missed: slot + 1 - calls.length};
}

/** Computes the moments that frames show. */
export class DisplayRhythm {
    calls = [];
    line = null; // {nanos, period, count, tolerance, spread, strays}
    last = -Infinity;
    neededNanos = MIN_NANOS;
    shown = -Infinity;

    /** Returns the moment to show in a frame, never before that of the last frame. */
    moment(nanos) {
        if (nanos - this.last > MAX_GAP_NANOS || nanos < this.last) {
            this.forget();
        }
        this.last = nanos;
        const moment = this.line ? this.follow(nanos) : this.learn(nanos);
        this.shown = Math.max(moment, Math.min(this.shown, nanos + MAX_GAP_NANOS));
        return this.shown;
    }

    forget() {
        this.neededNanos = MIN_NANOS;
        this.calls = [];
        this.line = null;
    }

    learn(nanos) {
        const {calls} = this;
        calls.push(nanos);
        const since = nanos - calls[0];
        if (since > MAX_NANOS) {
            this.calls = [nanos];
        } else if (calls.length >= MIN_CALLS && since >= this.neededNanos && calls.length % CALLS_PER_TRY === 0) {
            this.find();
        }
        return this.line ? this.line.nanos : nanos;
    }

    find() {
        const {calls} = this;
        const step = clockStep(calls);
        const mean = (calls.at(-1) - calls[0]) / (calls.length - 1);
        const isCoarse = step > COARSE_STEP_PERIODS * mean;
        if (isCoarse && calls.at(-1) - calls[0] < MIN_COARSE_NANOS) {
            return;
        }
        const tolerance = step / 2 + SLACK_NANOS;
        const most = Math.floor(MAX_MISSED * calls.length);
        let best = null;
        for (let period = mean * (1 - MAX_MISSED); period < mean * 1.02; period *= 1 + PERIOD_STEP) {
            for (let origin = -tolerance; step > 0 && step < MAX_STEP_PERIODS * period && origin < tolerance; origin += ORIGIN_STEP * tolerance) {
                const found = slots(calls, origin, period, tolerance);
                const missed = found?.missed ?? Infinity;
                if (missed <= most && (!best || missed < best.missed || (missed === best.missed && found.squares < best.squares))) {
                    best = found;
                }
            }
        }
        if (best) {
            const line = fit(calls, best.numbers);
            const hertz = 1e9 / line.period;
            const isDisplay = hertz > 0.98 * MIN_HERTZ && hertz < 1.02 * MAX_HERTZ;
            // The loop follows the mean of several frames in a step. The beat of step and slot moves that mean by half a slot.
            const beat = isCoarse ? line.period / 2 : 0;
            this.line = isDisplay ? {...line, tolerance: tolerance + beat, spread: 0, strays: 0} : null;
        }
    }

    follow(nanos) {
        const {line} = this;
        let slot = 1;
        let error = nanos - line.nanos - line.period;
        while (error > line.tolerance) {
            error -= line.period;
            slot++;
        }
        const stray = error < -line.tolerance ? 1 : slot > 1 ? MISSED_STRAYS : -FORGIVEN;
        line.strays = Math.max(0, line.strays + stray);
        if (line.strays >= MAX_STRAYS) {
            this.calls = [nanos];
            this.line = null;
            this.neededNanos = MIN_NANOS_AGAIN;
            return nanos;
        }
        // The gains are at first those of a line fitted to the frames so far; they fall to the gains of a slow loop.
        const count = ++line.count;
        const phase = error * Math.max(PHASE_GAIN, 2 * (2 * count - 1) / (count * (count + 1)));
        line.nanos += slot * line.period + phase;
        line.period += error / slot * Math.max(PHASE_GAIN ** 2 / 4, 6 / (count * (count + 1)));
        line.spread = (line.spread - phase) * (1 - 1 / SPREAD_FRAMES);
        return line.nanos + line.spread;
    }
}

/** Fits a line by least squares; its origin is at the last call. */
function fit(calls, numbers) {
    const count = calls.length;
    const middle = numbers.reduce((sum, number) => sum + number, 0) / count;
    const mean = calls.reduce((sum, nanos) => sum + nanos - calls[0], 0) / count;
    const squares = numbers.reduce((sum, number) => sum + (number - middle) ** 2, 0);
    const period = numbers.reduce((sum, number, index) => sum + (number - middle) * (calls[index] - calls[0]), 0) / squares;
    const nanos = calls[0] + mean + (numbers.at(-1) - middle) * period;
    return {nanos, period, count};
}
