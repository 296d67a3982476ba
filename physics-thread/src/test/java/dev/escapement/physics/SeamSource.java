package dev.escapement.physics;

import dev.escapement.state.fault.FaultSeam;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;

/** A device that can fail. */
final class SeamSource implements InputSource {

    volatile int closings;
    private final FaultSeam seam;

    SeamSource(FaultSeam seam) {
        this.seam = seam;
    }

    @Override
    public void poll(InputRing ring) {
        seam.reached("poll");
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread after the other
    public void close() {
        closings++;
        seam.reached("source close");
    }
}
