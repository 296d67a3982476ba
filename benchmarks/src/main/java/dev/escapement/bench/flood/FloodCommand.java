package dev.escapement.bench.flood;

import dev.escapement.bench.report.ProgressLine;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code escapement flood}: tries to break the input. */
@Command(
        name = "flood",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Offers numbered input events to a service that ticks at 100 Hz and checks what every tick is given: first with a ring",
            "that has room for two ticks, then, for a tenth of the time, with one too small, which has to refuse.",
            "Exit code: 0 all promises held, 1 one was broken, 2 the input was bad."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class FloodCommand implements Callable<Integer> {

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
    private Plant plant;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        check("--producers", producers, 1, MOST_PRODUCERS);
        check("--rate", perSecond, producers, MOST_A_SECOND);
        check("--seconds", seconds, 1, MOST_SECONDS);
        long offers = (long) perSecond * seconds;
        FloodResult ample;
        FloodResult small;
        try (ProgressBar progress = ProgressLine.of("flood", offers + smallPart(offers), " events")) {
            ample = flood(offers, RingSize.ample(perSecond)).run(progress::stepTo);
            small = flood(smallPart(offers), RingSize.tooSmall(perSecond))
                    .run(offered -> progress.stepTo(offers + offered));
        }
        boolean clean = ample.findings().isClean() && small.findings().isClean();
        say(FloodTable.text(ample, small));
        say(FloodTable.NOTE);
        say(clean ? "All promises held." : "FAULT: a promise was broken.");
        return clean ? 0 : 1;
    }

    private Flood flood(long offers, int capacity) {
        return new Flood(producers, perSecond, offers, capacity, plant);
    }

    private static long smallPart(long offers) {
        return Math.max(1, offers / 10);
    }

    private static void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    option + " must be between " + least + " and " + most + ", but is " + value);
        }
    }

    private void say(String text) {
        spec.commandLine().getOut().println(text);
    }
}
