package dev.escapement.bench.stress.world;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ServiceState;
import dev.escapement.physics.command.Answer;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a service that fails owes to those who use it. States {@link #PROMISES}. One thread. */
public final class FailureCheck {

    /** What a scenario that looks at failures states. */
    public static final Set<Promise> PROMISES = Set.of(Promise.CAUSE_TOLD, Promise.ANSWERED);

    private final Trial trial;
    private final PhysicsService service;

    /** Looks at failures of this service. */
    public FailureCheck(Trial trial, PhysicsService service) {
        this.trial = trial;
        this.service = service;
    }

    /**
     * Waits for the service to fail, and checks that it says why, also to those who want something of it meanwhile.
     *
     * @param isCause whether this is why it fails
     */
    public void awaitFailure(Predicate<Throwable> isCause) {
        CompletableFuture<Answer<Long>> before = service.query(tick -> tick);
        boolean failed = Polling.await(() -> service.state() == ServiceState.FAILED);
        boolean told = failed && service.failure().filter(isCause).isPresent();
        trial.check(Promise.CAUSE_TOLD)
                .that(
                        told != trial.isPlanted(Promise.CAUSE_TOLD),
                        () -> "it is " + service.state() + " because of " + service.failure());
        checkAnswered(before, failure -> failure == null || isCause(failure, isCause));
        checkAnswered(service.command(tick -> tick), failure -> isCause(failure, isCause));
    }

    private void checkAnswered(CompletableFuture<Answer<Long>> future, Predicate<@Nullable Throwable> isRight) {
        boolean completed = Polling.await(future::isDone);
        AtomicReference<@Nullable Throwable> said = new AtomicReference<>();
        CompletableFuture<?> looked = future.whenComplete((answer, failure) -> said.set(failure));
        boolean right = completed && looked.isDone() && isRight.test(said.get());
        trial.check(Promise.ANSWERED)
                .that(right != trial.isPlanted(Promise.ANSWERED), () -> "a future was completed with " + said);
    }

    /** What waits when a service ends is told that it has ended, and of what. */
    private static boolean isCause(@Nullable Throwable failure, Predicate<Throwable> isCause) {
        return failure instanceof IllegalStateException
                && failure.getCause() != null
                && isCause.test(failure.getCause());
    }
}
