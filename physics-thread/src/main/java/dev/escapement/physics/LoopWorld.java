package dev.escapement.physics;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.command.SpawnCommand;
import dev.escapement.physics.command.Spawned;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.ShapeSource;
import dev.escapement.state.world.TickMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a service and a driver share: the methods that other threads call, passed on to their loop. */
abstract class LoopWorld implements TickingWorld {

    final TickLoop loop;

    LoopWorld(TickLoop loop) {
        this.loop = loop;
    }

    /** Called after a command or query was offered, with a full fence in between. */
    void offered() {}

    /** Called after a request to resume time. */
    void resumed() {}

    private <T> T offered(T future) {
        offered();
        return future;
    }

    @Override
    public EventStream events(int capacity) {
        return loop.events.subscribe(capacity);
    }

    @Override
    public InputRing input() {
        return loop.input;
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<Answer<T>> command(Command<T> command) {
        return offered(loop.requests.command(command));
    }

    @Override
    public <C, T extends @Nullable Object> CompletableFuture<Answer<T>> command(CommandType<C, T> type, C command) {
        return offered(loop.requests.command(type, command));
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<Answer<T>> query(Command<T> query) {
        return offered(loop.requests.query(query));
    }

    @Override
    public <T extends @Nullable Object> Spawned<T> spawn(SpawnCommand<T> command) {
        return offered(loop.requests.spawn(command));
    }

    @Override
    public long refusedCommands() {
        return loop.requests.refused();
    }

    @Override
    public long failedCommands() {
        return loop.requests.failed();
    }

    @Override
    public void pause() {
        loop.time.pause();
    }

    @Override
    public void resume() {
        loop.time.resume();
        resumed();
    }

    @Override
    public void step() {
        loop.time.step();
        resumed();
    }

    @Override
    public void timeScale(TimeScale scale) {
        loop.time.scale(scale);
    }

    @Override
    public TimeScale timeScale() {
        return loop.time.scale();
    }

    @Override
    public TickRate rate() {
        return loop.rate();
    }

    @Override
    public MetricRing<TickMetric> tickMetrics() {
        return loop.meters.metrics;
    }

    @Override
    public CompletableFuture<List<@Nullable BodyShape>> shapes(List<Long> bodies) {
        List<Long> asked =
                List.copyOf(Objects.requireNonNull(bodies, "bodies must not be null; pass the ids of the bodies"));
        Command<List<@Nullable BodyShape>> look = tick -> {
            List<@Nullable BodyShape> shapes = new ArrayList<>();
            loop.simulation
                    .capability(ShapeSource.class)
                    .ifPresent(source -> asked.forEach(body -> shapes.add(source.shape(body))));
            return shapes;
        };
        return query(look).thenApply(Answer::value);
    }

    @Override
    public ThreadGrants threadGrants() {
        return stats().threadGrants();
    }

    @Override
    public PhysicsStats stats() {
        return loop.meters.stats;
    }

    @Override
    public long pendingInputs() {
        return loop.sampler.pending();
    }

    @Override
    public double realTimeFactor() {
        return loop.schedule.realTimeFactor();
    }

    @Override
    public long skippedTicks() {
        return loop.schedule.skippedTicks();
    }

    @Override
    public long skippedNanos() {
        return loop.schedule.skippedNanos();
    }

    @Override
    public long quarantinedPoses() {
        return loop.capture.quarantinedPoses();
    }

    @Override
    public long grownBlocks() {
        return loop.capture.grownBlocks();
    }

    @Override
    public Optional<Divergence> divergence() {
        return loop.run.origin().divergence();
    }
}
