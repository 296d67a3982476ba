package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Consumer;
import picocli.CommandLine;

/** The results of a command line. */
record Executed(int exitCode, String out, String err) {

    static Executed of(Object... arguments) {
        return of(line -> {}, arguments);
    }

    /** Runs a command line; the observer gets each line as it is printed. */
    static Executed of(Consumer<String> observer, Object... arguments) {
        String[] texts = new String[arguments.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = arguments[i].toString();
        }
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
        int exitCode = commandLine.execute(texts);
        return new Executed(exitCode, out.toString(), err.toString());
    }

    /** Asserts that bad input is refused: one line reports the error, nothing else is printed, and the exit code is 2. */
    static Executed assertRefused(String says, Object... arguments) {
        Executed refused = of(arguments);
        assertThat(refused.exitCode()).as(refused.out()).isEqualTo(2);
        assertThat(refused.err()).startsWith("escapement: ").contains(says).hasLineCount(1);
        assertThat(refused.out()).isEmpty();
        return refused;
    }
}
