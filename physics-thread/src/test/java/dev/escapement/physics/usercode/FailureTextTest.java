package dev.escapement.physics.usercode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.escapement.state.Logged;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailureTextTest {

    @TempDir
    Path folder;

    @Test
    void shouldSayWhyInWords() throws IOException {
        assertThat(why(new IOException("No space left on device"))).isEqualTo("No space left on device");
        assertThat(why(new FileSystemException("a", null, "Read-only file system")))
                .isEqualTo("a: Read-only file system");
        assertThat(why(new OutOfMemoryError("save"))).isEqualTo("there is no memory left: save");
        assertThat(why(new OutOfMemoryError())).isEqualTo("there is no memory left");
        assertThat(why(new IOException())).startsWith("java.io.IOException, at ");
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(why(catchThrowable(() -> Files.createFile(file)))).isEqualTo(file + ": file already exists");
        assertThat(why(catchThrowable(() -> Files.delete(folder)))).isEqualTo(folder + ": directory not empty");
        Path no = folder.resolve("no");
        assertThat(why(catchThrowable(() -> Files.size(no)))).isEqualTo(no + ": no such file");
    }

    @Test
    void shouldNameAnExceptionWhoseMessageThrows() {
        assertThat(why(new MessageThrows()))
                .startsWith(MessageThrows.class.getName() + ", at " + getClass().getName());
    }

    /** A handler may rethrow the failure that it received. */
    @Test
    void shouldKeepWhatTheHandlerThrows() {
        IllegalStateException failure = new IllegalStateException("bodies overlap");
        Error another = new StackOverflowError();
        new FailureReport("The service", FailureTextTest::rethrow, true).report(1, failure);
        assertThat(failure.getSuppressed()).isEmpty();
        new FailureReport("The service", got -> rethrow(another), true).report(1, failure);
        assertThat(failure.getSuppressed()).containsExactly(another);
    }

    private static void rethrow(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) thrown;
    }

    /** A replica refuses {@code firstTick}, so the text must not advise it. */
    @Test
    void shouldAdviseAFirstTickOnlyWhereItIsAccepted() {
        for (boolean continuable : new boolean[] {true, false}) {
            try (Logged logged = new Logged("physics")) {
                new FailureReport("The service", null, continuable).report(7, new IllegalStateException("broken"));
                assertThat(logged.records).singleElement().satisfies(line -> {
                    assertThat(line.getMessage().contains("from firstTick(8)")).isEqualTo(continuable);
                    assertThat(line.getMessage()).contains("Fix the cause below");
                });
            }
        }
    }

    private static final class MessageThrows extends IOException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    private static String why(Throwable thrown) {
        return FailureReport.why(thrown);
    }
}
