package dev.escapement.bench.stress;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.stress.scenario.Flood;
import dev.escapement.bench.stress.scenario.InputFault;
import java.util.List;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement stress flood}: tries to break the input. */
@Command(
        name = "flood",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Offers a million numbered input events a second, and checks what every tick is given.",
            "First with a ring that has room for two ticks, then, for a tenth of the time, with one too small, which has to refuse.",
            "Exit code: 0 all promises held, 1 one was broken, 2 the input was bad."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
final class FloodCommand extends ConsoleCommand {

    private static final int MOST_PRODUCERS = 64;
    private static final int MOST_A_SECOND = 10_000_000;
    private static final int MOST_SECONDS = 3600;

    @Option(names = "--producers", paramLabel = "P", defaultValue = "4", description = "How many threads offer.")
    private int producers;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Events a second, of all producers together. Where the machine is too slow it takes longer.")
    private int perSecond;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "10", description = "How long they offer.")
    private int seconds;

    @Option(
            names = "--plant",
            paramLabel = "FAULT",
            defaultValue = "none",
            description = "${COMPLETION-CANDIDATES}: a fault planted on purpose, which must be found.")
    private InputFault plant;

    @Override
    public Integer call() throws InterruptedException {
        check("--producers", producers, 1, MOST_PRODUCERS);
        check("--rate", perSecond, producers, MOST_A_SECOND);
        check("--seconds", seconds, 1, MOST_SECONDS);
        long offers = (long) perSecond * seconds;
        Flood.Result ample;
        Flood.Result small;
        try (ProgressBar progress = ProgressLine.of("flood", offers + smallPart(offers), " events")) {
            ample = flood(offers, Flood.ampleCapacity(perSecond)).run(progress::stepTo);
            small = flood(smallPart(offers), Flood.tooSmallCapacity(perSecond))
                    .run(offered -> progress.stepTo(offers + offered));
        }
        boolean clean = ample.findings().isClean() && small.findings().isClean();
        say(table(ample, small));
        say(clean ? "All promises held." : "FAULT: a promise was broken.");
        return clean ? 0 : 1;
    }

    private Flood flood(long offers, int capacity) {
        return new Flood(producers, perSecond, offers, capacity, plant);
    }

    private static long smallPart(long offers) {
        return Math.max(1, offers / 10);
    }

    /** What the producers reached, what the ring counted, and what was broken: all of that is 0. */
    private static String table(Flood.Result ample, Flood.Result small) {
        return new Table<Flood.Result>()
                .right("ring", result -> number(result.capacity()))
                .right("offered", result -> number(result.ledger().offered()))
                .right("a second", result -> number(Math.round(result.offeredPerSecond())))
                .right("refused", result -> number(result.counts().rejected()))
                .right("arrived", result -> number(result.ledger().arrived()))
                .right("late", result -> number(result.ledger().late()))
                .right("most in a tick", result -> number(result.ledger().mostInATick()))
                .right("lost", result -> number(result.findings().lost()))
                .right("doubled", result -> number(result.findings().doubled()))
                .right("reordered", result -> number(result.findings().reordered()))
                .right("disordered", result -> number(result.findings().disordered()))
                .right("misplaced", result -> number(result.findings().misplaced()))
                .right("altered", result -> number(result.findings().altered()))
                .right("unaccounted", result -> number(result.findings().unaccounted()))
                .text(List.of(ample, small));
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
