package dev.escapement.bench;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** What a command line led to. */
record Executed(int exitCode, String out, String err) {

    static Executed of(Object... arguments) {
        String[] texts = new String[arguments.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = arguments[i].toString();
        }
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = Escapement.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        int exitCode = commandLine.execute(texts);
        return new Executed(exitCode, out.toString(), err.toString());
    }
}
