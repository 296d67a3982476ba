package dev.escapement.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {

    @TempDir
    Path folder;

    @Test
    void shouldReplaceALinkAndNotItsTarget() throws IOException {
        Path precious = Files.writeString(folder.resolve("precious"), "kept");
        Path file = Files.createSymbolicLink(folder.resolve("report.html"), precious);
        WholeFile.write(file, "new".getBytes(UTF_8));
        assertThat(precious).hasContent("kept");
        assertThat(file).hasContent("new");
        assertThat(names(folder)).containsExactlyInAnyOrder("precious", "report.html");
    }

    @Test
    void shouldLeaveNothingWhereItCannotWrite() throws IOException {
        Path taken = Files.createDirectory(folder.resolve("report.html"));
        Files.writeString(taken.resolve("inside"), "kept");
        assertThatThrownBy(() -> WholeFile.write(taken, "new".getBytes(UTF_8)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith(taken + " could not be written: ");
        assertThat(names(folder)).containsExactly("report.html");
        assertThat(names(taken)).containsExactly("inside");
    }

    /** The messages of the JDK's exceptions are only paths or class names. */
    @Test
    void shouldSayInWordsWhyAPlaceCannotBeWritten() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "kept");
        assertRefusedBecause(Path.of("/proc/nope/report.html"), "it cannot be created");
        assertRefusedBecause(file.resolve("report.html"), "a file of that name exists");
        assertRefusedBecause(file.resolve("deeper").resolve("report.html"), "Not a directory");
        assertThatThrownBy(() -> WholeFile.write(folder.resolve("gone").resolve("report.html"), new byte[1]))
                .hasMessageEndingWith("report.html could not be written: there is no such file or folder");
        assertThat(WholeFile.why(new NotLinkException("x"))).isEqualTo("the system gives no reason");
        assertThat(WholeFile.why(new MalformedInputException(1))).isEqualTo("it is no text");
        assertThat(WholeFile.why(new IOException("the pipe broke"))).isEqualTo("the pipe broke");
    }

    private static void assertRefusedBecause(Path file, String why) {
        assertThatThrownBy(() -> WholeFile.checkWritable("--out", file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "--out: the folder " + file.getParent() + " cannot be written to (" + why + "); name another");
    }

    private static List<String> names(Path of) throws IOException {
        try (Stream<Path> files = Files.list(of)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
