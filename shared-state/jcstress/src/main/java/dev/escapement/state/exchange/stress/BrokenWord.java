package dev.escapement.state.exchange.stress;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A canary: a broken class in place of {@code WindowWord}. Tests and all other code are unchanged. Each test of {@link #MUST_FAIL} must
 * find a forbidden result; otherwise it would not notice a fault of the real word either.
 */
enum BrokenWord {
    /** The writer publishes with a release store instead of an atomic exchange. */
    RELEASE_ONLY,

    /** The reader reads the word and then stores, instead of an atomic exchange. */
    READ_THEN_STORE;

    /** The tests that must fail with each broken word: one of the word alone, one of the whole exchange. */
    static final List<String> MUST_FAIL = List.of("WordOneHand", "HeldWindow");

    private static final String PACKAGE = "dev/escapement/state/exchange";
    private static final String WORD = "WindowWord.class";

    /** Writes the broken class to a folder that can come first in a class path. */
    Path unpackInto(Path folder) throws IOException {
        String resource = "/broken/" + name().replace("_", "").toLowerCase(Locale.ROOT) + "/" + PACKAGE + "/" + WORD;
        Path place = Files.createDirectories(folder.resolve(PACKAGE));
        try (InputStream in = BrokenWord.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException("the jar has no " + resource);
            }
            Files.copy(in, place.resolve(WORD));
        }
        return folder;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
