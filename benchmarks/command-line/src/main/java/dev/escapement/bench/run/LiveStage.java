package dev.escapement.bench.run;

import dev.escapement.bench.view.WorldTime;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.web.LivePage;
import dev.escapement.render.web.LivePageBuilder;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.service.TimeControl;
import dev.escapement.state.service.WorldControl;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A page in the browser, beside frames that are made as without a display. */
final class LiveStage extends Stage.Headless {

    private final String title;
    private final int port;
    private final int seconds;
    private final Consumer<String> say;
    private @Nullable LivePage page;

    // Volatile: set by the main thread before the first change of time, read by the physics thread.
    private volatile @Nullable WorldTime time;

    /**
     * Prepares a page.
     *
     * @param title   what it shows
     * @param port    where, 0 for any free port
     * @param seconds how long at most
     * @param fps     how many frames a second are made beside it
     * @param say     is told the address of the page, alone on a line
     */
    LiveStage(String title, int port, int seconds, TickRate fps, Consumer<String> say) {
        super(fps);
        this.title = title;
        this.port = port;
        this.seconds = seconds;
        this.say = say;
    }

    @Override
    public int readers() {
        return 1;
    }

    @Override
    public @Nullable WorldTime time() {
        return time;
    }

    @Override
    public RenderLoop startDrawing(Drawn drawn, FrameView view, FrameListener listener) {
        LivePageBuilder settings =
                LivePage.of(drawn.readers().get()).title(title).port(port).counts(drawn.counts());
        PhysicsService physics = drawn.physics();
        if (physics != null) {
            WorldTime counted = new WorldTime(physics, NanoClock.system(), physics.startedAtNanos());
            time = counted;
            settings.controls(steered(physics, counted));
        }
        LivePage started = settings.start();
        page = started;
        say.accept(started.url());
        return super.startDrawing(drawn, view, new Both(started.frames("run"), listener));
    }

    @Override
    public void waitWhile(BooleanSupplier running, InputRing input) {
        long startedNanos = System.nanoTime();
        long mostNanos = TimeUnit.SECONDS.toNanos(seconds);
        super.waitWhile(() -> running.getAsBoolean() && System.nanoTime() - startedNanos < mostNanos, input);
    }

    @Override
    public boolean hasPlayer() {
        return true;
    }

    @Override
    public void close() {
        if (page != null) {
            page.close();
        }
    }

    /** Two listeners of the same frames. */
    private record Both(FrameListener first, FrameListener second) implements FrameListener {

        @Override
        public void beforeAcquire(FrameView view) {
            first.beforeAcquire(view);
            second.beforeAcquire(view);
        }

        @Override
        public void drawn(FrameView view, long slotNanos, long completedNanos) {
            first.drawn(view, slotNanos, completedNanos);
            second.drawn(view, slotNanos, completedNanos);
        }

        @Override
        public void failed(Throwable cause) {
            second.failed(cause);
        }
    }

    /** A service whose time is changed where it is counted how many ticks are due. */
    private static WorldControl steered(PhysicsService physics, WorldTime time) {
        InvocationHandler forwarded = (proxy, method, arguments) -> {
            try {
                return method.invoke(method.getDeclaringClass() == TimeControl.class ? time : physics, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        };
        Class<?>[] types = {WorldControl.class};
        return (WorldControl) Proxy.newProxyInstance(LiveStage.class.getClassLoader(), types, forwarded);
    }
}
