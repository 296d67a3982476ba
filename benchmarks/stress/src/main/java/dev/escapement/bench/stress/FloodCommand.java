package dev.escapement.bench.stress;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.stress.scenario.Flood;
import dev.escapement.bench.stress.scenario.InputFault;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement flood}: tries to break the input. */
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
public final class FloodCommand extends ConsoleCommand {

    private static final String NOTE = """
            a second: what the producers reached. late: arrived after the tick it belonged to, and was told so.
            lost: passed by later ones of its producer. disordered: against the order of time within a tick. misplaced: a wrong
            offset or tick. altered: with other contents. unaccounted: what producers, ring and ticks counted does not add up.""";

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
        say(NOTE);
        say(clean ? "All promises held." : "FAULT: a promise was broken.");
        return clean ? 0 : 1;
    }

    private Flood flood(long offers, int capacity) {
        return new Flood(producers, perSecond, offers, capacity, plant);
    }

    private static long smallPart(long offers) {
        return Math.max(1, offers / 10);
    }

    private record Row(String name, ToDoubleFunction<Flood.Result> figure) {}

    private static String table(Flood.Result ample, Flood.Result small) {
        List<Row> rows = List.of(
                new Row("ring, events", Flood.Result::capacity),
                new Row("offered", result -> result.ledger().offered()),
                new Row("a second", Flood.Result::offeredPerSecond),
                new Row("accepted", result -> result.counts().accepted()),
                new Row("refused", result -> result.counts().rejected()),
                new Row("arrived", result -> result.ledger().arrived()),
                new Row("pending", result -> result.counts().pending()),
                new Row("dropped", result -> result.counts().dropped()),
                new Row("late", result -> result.ledger().late()),
                new Row("ticks", result -> result.ledger().ticks()),
                new Row("ticks given up", Flood.Result::givenUp),
                new Row("most in a tick", result -> result.ledger().mostInATick()),
                new Row("lost", result -> result.findings().lost()),
                new Row("doubled", result -> result.findings().doubled()),
                new Row("reordered", result -> result.findings().reordered()),
                new Row("disordered", result -> result.findings().disordered()),
                new Row("misplaced", result -> result.findings().misplaced()),
                new Row("altered", result -> result.findings().altered()),
                new Row("unaccounted", result -> result.findings().unaccounted()));
        return new Table<Row>()
                .left("", Row::name)
                .right("ample ring", row -> number(row.figure().applyAsDouble(ample)))
                .right("too small a ring", row -> number(row.figure().applyAsDouble(small)))
                .text(rows);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
