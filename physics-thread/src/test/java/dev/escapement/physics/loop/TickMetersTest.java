package dev.escapement.physics.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.Internals;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ScriptedSimulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class TickMetersTest {

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldLeaveNoFileOpen() throws IOException {
        long before = openedFiles();
        for (int service = 0; service < 10; service++) {
            new TickMeters(Internals.settings(PhysicsService.builder(ScriptedSimulation.good()))).metrics();
        }
        assertThat(openedFiles()).isLessThanOrEqualTo(before);
    }

    /** The files with times of threads; a collection may close some that others have left. */
    private static long openedFiles() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(file -> {
                        try {
                            return Files.readSymbolicLink(file).endsWith("schedstat");
                        } catch (IOException closed) {
                            return false;
                        }
                    })
                    .count();
        }
    }
}
