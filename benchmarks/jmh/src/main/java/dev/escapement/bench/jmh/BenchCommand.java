package dev.escapement.bench.jmh;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.Main;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** {@code escapement bench}: runs the JMH benchmarks that the program's jar contains. */
@Command(
        name = "bench",
        subcommands = RatiosCommand.class,
        description = {
            "Runs the JMH benchmarks.",
            "All other options are JMH's own: 'bench -h' lists them, 'bench -l' the benchmarks. Let nothing else run meanwhile."
        })
public final class BenchCommand implements Callable<Integer> {

    private static final List<String> QUICK =
            List.of("-f", "1", "-wi", "3", "-w", "300ms", "-i", "5", "-r", "300ms", "-foe", "true");

    @Option(names = "--quick", description = "Everything in under 10 minutes, with wider errors.")
    private boolean quick;

    @Option(names = "--help", usageHelp = true, description = "Show this help message and exit.")
    @SuppressWarnings("UnusedVariable") // picocli sets and reads it
    private boolean help;

    @Unmatched
    private List<String> jmhOptions = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        if (jmhOptions.contains("cost")) { // 'bench cost' was a command of its own in version 0.3
            throw new IllegalArgumentException("'bench cost' is a benchmark of JMH now: 'bench Cost'");
        }
        List<String> arguments = new ArrayList<>(jmhOptions);
        if (quick) {
            arguments.addAll(QUICK);
        }
        Main.main(arguments.toArray(new String[0]));
        return 0;
    }
}
