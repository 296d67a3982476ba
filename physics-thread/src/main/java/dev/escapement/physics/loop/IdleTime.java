package dev.escapement.physics.loop;

import dev.escapement.physics.schedule.TickSchedule;
import dev.escapement.state.input.InputRing.PausedListener;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TimeScale;
import org.jspecify.annotations.Nullable;

/**
 * What a loop does while no tick is due: serves requests, publishes what they changed, pauses and resumes time.
 *
 * <pre>
 *   runPaused        while time stands still
 *   runBetweenTicks  while the next tick is far away, or its source does not have it yet
 *   runBetweenSteps  when a host in lock step asks for it
 * </pre>
 *
 * <p>Physics thread only.
 */
public final class IdleTime {

    private final TickLoop loop;
    private final TickSchedule schedule;
    private final boolean isReplica;
    private final @Nullable PausedListener pausedInput;
    private final Runnable wake;
    private long acceptedBefore;

    IdleTime(TickLoop loop) {
        this.loop = loop;
        schedule = loop.schedule;
        isReplica = loop.isReplica;
        wake = loop::wake;
        PausedListener listener = loop.settings.pausedInput();
        pausedInput = listener == null
                ? null
                : (event, state) -> {
                    loop.guard.enter();
                    listener.happened(event, state);
                    loop.guard.exit();
                };
    }

    /**
     * Serves requests while time stands still, and publishes their changes; resumes time if that was requested. Returns whether more
     * requests wait.
     */
    public boolean runPaused() throws Exception {
        loop.devices.poll();
        dropInput();
        boolean mayHaveChanged = loop.runCommands();
        loop.reservations.freeReleased();
        boolean ready = loop.prepareNext(); // even in a pause: the source may fail meanwhile
        boolean resumes = ready && loop.time.mayResume(); // then the next tick publishes the changes
        if (mayHaveChanged && !resumes && !isReplica) {
            publishWithoutStep();
        }
        loop.requests.runQueries(loop.lastSimulationTick());
        if (resumes) {
            resume();
        }
        return loop.requests.hasMore();
    }

    private void resume() {
        schedule.scale(loop.scale());
        long tickNanos = loop.scale().times(loop.rate()).nanosAt(1);
        schedule.resume(loop.source.dueNanos(loop.clock.nanoTime() + tickNanos) - tickNanos);
        loop.writer.publishTimeline(schedule.timeline());
    }

    /**
     * Whether a pause must look again soon: for its hooks, devices, listener or source, or because input has come since the last look. If
     * not, the next request or input event calls {@link TickLoop#wake}.
     */
    public boolean looksInPause() {
        long before = acceptedBefore;
        acceptedBefore = loop.input.accepted();
        boolean looks = isReplica || !loop.hooks.isEmpty() || !loop.devices.isEmpty() || pausedInput != null;
        return looks || acceptedBefore != before || !loop.input.wakeAtNext(wake); // else each move would wake
    }

    public void runBetweenTicks() throws Exception {
        loop.devices.poll();
        if (isReplica) {
            dropInput();
        }
        loop.pollSource();
        loop.runCommands();
        if (loop.writer.latest() != null) {
            loop.requests.runQueries(loop.lastSimulationTick());
            changeTime(loop.clock.nanoTime());
        }
    }

    /** Changes time as requested, if the next tick is far away. Not in replicas, because all of them must have the same due times. */
    private void changeTime(long nowNanos) {
        boolean pauses = loop.time.ticksLeft() == 0;
        TimeScale requested = loop.scale();
        if (isReplica || !schedule.isFar(nowNanos) || !(pauses || schedule.isOther(requested))) {
            return;
        }
        if (pauses) {
            loop.sampler.samplePart(nowNanos);
            schedule.pauseWithin(nowNanos);
        } else {
            schedule.scaleWithin(nowNanos, requested);
        }
        loop.writer.publishTimeline(schedule.timeline());
    }

    /**
     * Serves requests between two steps of a host in lock step, and publishes their changes. Publishes in any case until readers have a
     * first window.
     */
    public void runBetweenSteps() throws Exception {
        boolean mayHaveChanged = loop.runCommands();
        if ((mayHaveChanged || lacksWindow()) && !isReplica) {
            publishWithoutStep();
        }
        loop.requests.runQueries(loop.lastSimulationTick());
    }

    /**
     * Publishes the world without a step: as the next published tick, with the last simulation tick. Repeats that until readers have a
     * first window.
     */
    private void publishWithoutStep() throws Exception {
        do {
            loop.state.begin();
            Snapshot before = loop.writer.latest();
            long simulationTick = loop.lastSimulationTick();
            long publishedTick = schedule.nextPublishedTick();
            WritableSnapshot captured = loop.writer.nextSnapshot();
            captured.startTick(publishedTick, schedule.standAtNextTick(loop.clock.nanoTime()));
            captured.markUnstepped();
            loop.continueAfter(simulationTick);
            loop.capture(captured, simulationTick);
            loop.publish(publishedTick, loop.clock.nanoTime());
            loop.events.collectLifecycles(before, captured);
            loop.events.deliver();
        } while (lacksWindow());
    }

    private boolean lacksWindow() {
        return schedule.nextPublishedTick() < loop.settings.firstTick() + loop.settings.windowSize();
    }

    /** Takes the input that no tick gets: while time stands still, or in a replica. */
    void dropInput() {
        loop.sampler.drainWhilePaused(loop.clock.nanoTime(), !isReplica, pausedInput);
    }
}
