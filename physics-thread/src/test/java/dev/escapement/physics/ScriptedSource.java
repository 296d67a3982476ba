package dev.escapement.physics;

import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import java.util.function.Consumer;

/** A device whose poll and close a test defines. */
public record ScriptedSource(Consumer<InputRing> polled, Runnable closed) implements InputSource {

    @Override
    public void poll(InputRing ring) {
        polled.accept(ring);
    }

    @Override
    public void close() {
        closed.run();
    }
}
