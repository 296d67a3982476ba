package dev.escapement.bench.stress;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.stress.scenario.Flood;
import dev.escapement.bench.stress.trial.Outcome;
import java.util.List;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement stress flood}: tries to break the input. */
@Command(
        name = "flood",
        description = {
            "Offers a million numbered input events a second, and checks the input of every tick.",
            "First with a ring that has room for two ticks, then, for a tenth of the time, with one that is too small and has to refuse.",
            "Exit code: 0 all promises held, 1 one was broken, 2 the input was bad."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
final class FloodCommand extends ConsoleCommand {

    private static final int MAX_PRODUCERS = 64;
    private static final int MAX_A_SECOND = 10_000_000;
    private static final int MAX_SECONDS = 3600;

    @Option(names = "--producers", paramLabel = "P", defaultValue = "4", description = "How many threads offer.")
    private int producers;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Events a second, of all producers together. If the machine is too slow, it takes longer.")
    private int perSecond;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "10", description = "How long they offer.")
    private int seconds;

    @Override
    public Integer call() {
        check("--producers", producers, 1, MAX_PRODUCERS);
        check("--rate", perSecond, producers, MAX_A_SECOND);
        check("--seconds", seconds, 1, MAX_SECONDS);
        long offers = (long) perSecond * seconds;
        Outcome found;
        try (ProgressBar progress = ProgressLine.of("flood", offers + Math.max(1, offers / 10), " events")) {
            found = Flood.scenario(producers, perSecond, progress::stepTo).run(TimeUnit.SECONDS.toNanos(seconds), null);
        }
        say(StressTable.text(List.of(found)));
        return found.held() ? 0 : 1;
    }
}
