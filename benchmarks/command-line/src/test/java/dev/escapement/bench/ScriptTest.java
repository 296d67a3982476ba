package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the start script that the build writes beside the jar, with a fake {@code java} that prints its arguments. */
@DisabledOnOs(OS.WINDOWS)
class ScriptTest {

    @TempDir
    private Path folder;

    @Test
    void shouldStartTheJarBesideItAlsoThroughALink() throws Exception {
        Path java = Files.writeString(folder.resolve("java"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Path script = Path.of("../target/escapement").toRealPath();
        Path link = Files.createSymbolicLink(folder.resolve("a link"), script);
        ProcessBuilder builder =
                new ProcessBuilder(link.toString(), "run", "--out", "a folder").redirectErrorStream(true);
        builder.environment().merge("PATH", folder.toString(), (path, first) -> first + File.pathSeparator + path);
        Process started = builder.start();
        assertThat(started.inputReader().lines())
                .containsExactly(
                        "-Descapement.program=" + link,
                        "-jar",
                        script.resolveSibling("escapement.jar").toString(),
                        "run",
                        "--out",
                        "a folder");
        assertThat(started.waitFor()).isZero();
    }
}
