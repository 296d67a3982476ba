package dev.escapement.bench.pacing;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.stress.trial.BusyCores;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimerResolution;
import java.util.List;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code escapement pacing}: how late ticks start, against what people use today. */
@Command(
        name = "pacing",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Ticks in different ways, in turns, and shows how late the ticks start.",
            "First with idle cores, then with a busy process for each. Let nothing else run meanwhile; by default it takes three"
                    + " minutes."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class PacingCommand extends ConsoleCommand {

    /** Fast, so that in a second every method has been called often enough to be compiled. */
    private static final TickRate WARM_UP_RATE = TickRate.hertz(4000);

    private static final String NOTE = """
            Lateness in microseconds; every figure is the median over the rounds. x park_nanos: the contestant's median lateness
            over that of park_nanos in the same round. core: processor time of the thread that waits and ticks.
            B/tick: what that thread allocated. sleep_rest may tick early, which counts like late. cyclictest counts in whole
            microseconds, from its first tick on; the others leave out a fifth of each turn.""";

    private static final int SPARE_SECONDS = 60;

    @Option(names = "--rate", paramLabel = "HZ", defaultValue = "100", description = "How many ticks a second.")
    private int hertz;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "10", description = "How many turns each has.")
    private int rounds;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "1",
            description = "How long a turn is. Below 2, the p99 of a turn is its largest value.")
    private int seconds;

    @Override
    public Integer call() throws InterruptedException {
        check("--rate", hertz, 1, 10_000);
        check("--rounds", rounds, 1, 1000);
        check("--seconds", seconds, 1, 3600);
        TickRate rate = TickRate.hertz(hertz);
        TimerResolution timer = TimerResolution.ofThisJvm();
        List<Contestant> contestants = Contestant.available();
        int turns = contestants.size() * rounds;
        Rounds idle;
        Rounds loaded;
        try (ProgressBar progress = ProgressLine.of("pacing", contestants.size() + 2L * turns, " turns")) {
            Rounds.run(contestants, WARM_UP_RATE, 1, 1, progress::step);
            idle = Rounds.run(contestants, rate, rounds, seconds, progress::step);
            try (BusyCores busy = BusyCores.start(2 * turns * seconds + SPARE_SECONDS)) {
                loaded = Rounds.run(contestants, rate, rounds, seconds, progress::step);
                busy.requireRunning();
            }
        }
        say(String.format(
                Locale.ROOT,
                "%d rounds of %d s at %d Hz. Clock step %.2f us, shortest park %.1f us.",
                rounds,
                seconds,
                hertz,
                timer.clockStepNanos() / 1e3,
                timer.shortestParkNanos() / 1e3));
        say(idle.table("idle"));
        say(loaded.table("every core busy"));
        say(NOTE);
        say(idle.givenUp().machineVerdict(0, idle.awayMillis(), "try a lower --rate"));
        say(String.format(
                Locale.ROOT,
                "With every core busy, ticks of Escapement given up: %,d, of these while the machine was away: %,d.",
                loaded.givenUp().total(),
                loaded.givenUp().machine()));
        if (!contestants.contains(Contestant.CYCLICTEST)) {
            say("Without cyclictest, which is not on the PATH (Debian: rt-tests).");
        }
        return 0;
    }
}
