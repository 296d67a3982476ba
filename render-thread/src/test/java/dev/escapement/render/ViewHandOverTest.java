package dev.escapement.render;

import static dev.escapement.render.PublishedWorld.TICK_NANOS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests one view that several threads of a pool advance in turn. */
class ViewHandOverTest {

    private final PublishedWorld world = new PublishedWorld(3, tick -> 0);
    private final FrameView view = FrameView.of(world.newReader());
    private final List<ExecutorService> threads =
            List.of(Executors.newSingleThreadExecutor(), Executors.newSingleThreadExecutor());

    @AfterEach
    void endThreads() {
        threads.forEach(ExecutorService::shutdown);
    }

    @Test
    void shouldRefuseASecondThreadUntilItIsHandedOver() {
        world.runUntil(9 * TICK_NANOS);
        String first = on(0, () -> show(view, 9 * TICK_NANOS));
        for (Runnable use : List.<Runnable>of(
                () -> view.advance(10 * TICK_NANOS),
                () -> view.retime(10 * TICK_NANOS),
                view::poses,
                view::shown,
                view::handOver,
                view::close)) {
            assertThatThrownBy(() -> on(1, () -> {
                        use.run();
                        return "";
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("a snapshot reader belongs to one thread")
                    .hasMessageContaining("which has not handed it over");
        }
        assertThat(on(0, () -> show(view, 9 * TICK_NANOS)))
                .as("nothing has changed")
                .isEqualTo(first);
        on(0, () -> {
            view.handOver();
            return "";
        });
        assertThat(on(1, () -> show(view, 9 * TICK_NANOS))).isEqualTo(first);
        assertThatThrownBy(() -> on(0, () -> show(view, 9 * TICK_NANOS)))
                .as("the first thread is no owner any more")
                .isInstanceOf(IllegalStateException.class);
    }

    private static String show(FrameView view, long nanos) {
        return view.advance(nanos) ? view + " " + view.poses().block(0).px[0] : "nothing";
    }

    private String on(int thread, Supplier<String> turn) {
        try {
            return CompletableFuture.supplyAsync(turn, threads.get(thread)).join();
        } catch (CompletionException e) {
            throw (RuntimeException) e.getCause();
        }
    }
}
