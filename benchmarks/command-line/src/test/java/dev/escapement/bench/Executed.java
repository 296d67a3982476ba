package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.escapement.bench.report.EndRequest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.stream.Stream;
import picocli.CommandLine;

record Executed(int exitCode, String out, String err) {

    static Executed of(Object... arguments) {
        return observed(line -> {}, arguments);
    }

    static Executed untilLine(String pattern, Object... arguments) {
        return observed(
                line -> {
                    if (line.matches(pattern)) {
                        EndRequest.make();
                    }
                },
                arguments);
    }

    static Executed observed(Consumer<String> observer, Object... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = Escapement.commandLine();
        commandLine.setOut(new PrintWriter(out, true) {
            @Override
            public void println(String line) {
                super.println(line);
                observer.accept(line);
            }
        });
        commandLine.setErr(new PrintWriter(err, true));
        int exitCode =
                commandLine.execute(Stream.of(arguments).map(Object::toString).toArray(String[]::new));
        EndRequest.accept(); // else a request to end this command would end the next one
        return new Executed(exitCode, out.toString(), err.toString());
    }

    static JsonObject json(Path file) throws IOException {
        return JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    }

    /** Asserts that the command refuses bad input: it prints one line with the error and nothing else, and exits with 2. */
    static Executed assertRefused(String says, Object... arguments) {
        Executed refused = of(arguments);
        assertThat(refused.exitCode()).as(refused.out()).isEqualTo(2);
        assertThat(refused.err()).startsWith("escapement: ").contains(says).hasLineCount(1);
        assertThat(refused.out()).isEmpty();
        return refused;
    }
}
