package dev.escapement.bench.stress;

import dev.escapement.bench.process.BusyCores;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Keeps all cores busy for two seconds, every few seconds, by a child process. */
final class BusyStorm extends StormThreads {

    private static final int BUSY_SECONDS = 2;

    /** The seconds until the child ends by itself. Normally this part ends it much earlier. */
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
                // The child was killed, or this program was stopped until the child had ended by itself.
                life.trial.finding("no busy cores for some time: " + e);
            } catch (UncheckedIOException e) { // no memory for a process, or this program is not on a class path
                life.trial.leftOut(StormPart.BUSY, e.toString());
                return;
            }
        }
    }
}
