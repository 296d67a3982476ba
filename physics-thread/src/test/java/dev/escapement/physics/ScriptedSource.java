package dev.escapement.physics;

import dev.escapement.state.input.InputSink;
import dev.escapement.state.input.InputSource;
import java.util.function.Consumer;

/** A device whose poll and close a test defines. */
public record ScriptedSource(Consumer<InputSink> polled, Runnable closed) implements InputSource {

    @Override
    public void poll(InputSink sink) {
        polled.accept(sink);
    }

    @Override
    public void close() {
        closed.run();
    }
}
