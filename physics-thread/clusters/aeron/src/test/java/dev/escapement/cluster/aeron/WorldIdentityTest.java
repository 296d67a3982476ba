package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorldIdentityTest {

    private static final UUID WORLD = UUID.fromString("6f1c0f0a-11d2-4f6e-9a3b-0123456789ab");

    @TempDir
    private Path folder;

    private WorldIdentity read() throws IOException {
        WorldIdentity identity = new WorldIdentity(folder);
        identity.read(false);
        return identity;
    }

    @Test
    void whatIsNotedFirstIsReadAgain() throws IOException {
        WorldIdentity identity = read();
        assertThat(identity.known()).isNull();
        assertThat(identity.knownOrProposed())
                .isEqualTo(identity.knownOrProposed())
                .isNotEqualTo(read().knownOrProposed());
        identity.note(WORLD);
        identity.note(WORLD);
        assertThatIllegalStateException()
                .isThrownBy(() -> identity.note(new UUID(1, 2)))
                .withMessageContaining("names world " + WORLD + ", but the log is of world " + new UUID(1, 2));
        assertThat(identity.knownOrProposed()).isEqualTo(WORLD);
        assertThat(read().known()).isEqualTo(WORLD);
        assertThat(folder.toFile().list()).containsExactly("world");
    }

    /** A process was killed while it stored the identity. */
    @Test
    void halfAFileIsNone() throws IOException {
        Files.writeString(folder.resolve("world.next"), "6f1c");
        assertThat(read().known()).isNull();
        read().note(WORLD);
        assertThat(read().known()).isEqualTo(WORLD);
    }

    @Test
    void aDamagedFileIsRefused() throws IOException {
        for (String text : new String[] {"", "6f1c"}) {
            Files.writeString(folder.resolve("world"), text);
            assertThatIllegalArgumentException().isThrownBy(this::read).withMessageContaining(text);
        }
    }
}
