package dev.escapement.bench.pacing;

import dev.escapement.state.time.TickRate;

/** Ticks at a steady rate in its own way, and sees how late it is. Used once, by one thread. */
interface Ticker {

    /**
     * Ticks for so long.
     *
     * @param rate    how often
     * @param seconds how long, at least 1
     * @return what was measured
     * @throws InterruptedException if the calling thread was interrupted; nothing ticks any more
     */
    Lateness tickFor(TickRate rate, int seconds) throws InterruptedException;
}
