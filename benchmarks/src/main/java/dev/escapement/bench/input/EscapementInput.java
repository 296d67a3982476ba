package dev.escapement.bench.input;

import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.time.NanoClock;

/**
 * Escapement's ring and sampler. It does more than the others: it checks every stamp against the clock, sorts by time, places each
 * event in its tick, and keeps what is held.
 */
final class EscapementInput implements InputQueue {

    private final NanoClock clock = NanoClock.system();
    private final InputRing ring;
    private final InputSampler sampler;
    private final InputSink sink;
    private long sampledNanos = clock.nanoTime();

    EscapementInput(int capacity, InputSink sink) {
        ring = new InputRing(capacity, clock);
        sampler = new InputSampler(ring);
        this.sink = sink;
    }

    @Override
    public boolean offer(long timeNanos, int code, float x, float y) {
        return ring.offer(timeNanos, InputKind.APPLICATION, code, x, y);
    }

    @Override
    public int drain() {
        long nowNanos = clock.nanoTime();
        InputFrame frame = sampler.sample(sampledNanos, nowNanos);
        sampledNanos = nowNanos;
        int size = frame.size();
        for (int i = 0; i < size; i++) {
            InputEvent event = frame.event(i);
            sink.take(event.timeNanos(), event.code(), event.x(), event.y());
        }
        return size;
    }

    @Override
    public long refused() {
        return ring.rejected();
    }
}
