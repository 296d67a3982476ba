package dev.escapement.bench.stress;

import dev.escapement.bench.process.BusyCores;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** A child process that keeps all cores busy for two seconds, again and again, with a pause of some seconds. */
final class BusyStorm extends StormThreads {

    private static final int BUSY_SECONDS = 2;

    /** After this many seconds the child ends by itself, should this program be killed. Normally the program ends it much earlier. */
    private static final int SECONDS_UNTIL_KILLED = 60;

    BusyStorm(Life life) {
        super(life, 1);
    }

    @Override
    void work(Worker self, int index) {
        SplittableRandom random = random(0);
        while (self.pause(TimeUnit.SECONDS.toNanos(random.nextInt(1, 8)))) {
            try (BusyCores busy = BusyCores.start(BUSY_SECONDS + SECONDS_UNTIL_KILLED)) {
                if (self.pause(TimeUnit.SECONDS.toNanos(BUSY_SECONDS))) {
                    busy.requireRunning();
                }
            } catch (IllegalStateException e) {
                // Somebody has killed the child, or this program was stopped for so long that the child ended by
                // itself.
                life.trial.finding("no busy cores for some time: " + e);
            } catch (UncheckedIOException e) { // no memory for a process, or this program is not on a class path
                life.trial.leftOut(StormPart.BUSY, e.toString());
                return;
            }
        }
    }
}
