package dev.escapement.render.libgdx;

import com.badlogic.gdx.Gdx;
import com.badlogic.gdx.InputAdapter;
import com.badlogic.gdx.InputEventQueue;
import com.badlogic.gdx.InputProcessor;
import dev.escapement.state.input.BorrowedSource;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSink;
import dev.escapement.state.time.NanoClock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Offers keys and the pointer's buttons, moves and wheel to one physics service after the other.
 *
 * <p>The next service begins with the keys and buttons that are held.
 *
 * <pre>{@code
 * ServiceInput input = new ServiceInput(NanoClock.system());
 * Gdx.input.setInputProcessor(new InputMultiplexer(input, menu));
 * input.offerTo(physics.input());      // again for each service that follows
 * }</pre>
 *
 * <p>Codes come from libGDX: {@code Input.Keys}, {@code Input.Buttons}, and the number of the pointer. Positions are in pixels from the
 * upper left corner. Every call returns false, so that other processors get the event too. Put this processor first: a processor before it
 * that consumes the release of a key would leave the key held here.
 *
 * <p>The render thread only. Allocates nothing, unless the ring refuses events because it is full or disabled; then this offers them again
 * in the next frame, by {@code Gdx.app.postRunnable}.
 */
public final class ServiceInput extends InputAdapter {

    private final NanoClock clock;
    private final InputEventQueue waiting = new InputEventQueue();
    private final BorrowedSource lent = new BorrowedSource(this::offerWaiting);

    /** The ring that gets the events. At first a closed ring, which accepts none, so that only held keys and buttons are tracked. */
    private InputRing ring;

    private final Runnable retry = this::retry;

    private boolean retrying;

    /** Takes the waiting events while they are offered, otherwise null. */
    private @Nullable InputSink sink;

    private final InputProcessor offering = new InputAdapter() {
        @Override
        public boolean keyDown(int code) {
            return offer(InputKind.KEY_DOWN, code, 0, 0);
        }

        @Override
        public boolean keyUp(int code) {
            return offer(InputKind.KEY_UP, code, 0, 0);
        }

        @Override
        public boolean touchDown(int x, int y, int pointer, int button) {
            return offer(InputKind.POINTER_DOWN, button, x, y);
        }

        @Override
        public boolean touchUp(int x, int y, int pointer, int button) {
            return offer(InputKind.POINTER_UP, button, x, y);
        }

        @Override
        public boolean touchDragged(int x, int y, int pointer) {
            return offer(InputKind.POINTER_MOVED, pointer, x, y);
        }

        @Override
        public boolean mouseMoved(int x, int y) {
            return offer(InputKind.POINTER_MOVED, 0, x, y);
        }

        @Override
        public boolean scrolled(float x, float y) {
            // libGDX's y is positive toward the user. 0 - y, because -y would turn 0 into -0.
            return offer(InputKind.WHEEL, 0, x, 0 - y);
        }
    };

    /**
     * Creates an input that only tracks held keys and buttons until {@link #offerTo} names a service.
     *
     * @param clock the clock of the services: {@code NanoClock.system()}, or the clock of the loop that runs the ticks
     */
    public ServiceInput(NanoClock clock) {
        this.clock = clock;
        ring = new InputRing(1, clock);
        ring.close();
    }

    /**
     * Offers events to a service from now on, beginning with the held keys and buttons.
     *
     * @param next the service's {@code input()}
     */
    public void offerTo(InputRing next) {
        ring = Objects.requireNonNull(next, "the ring must not be null; pass physics.input()");
        offerAll();
    }

    @Override
    public boolean keyDown(int code) {
        waiting.keyDown(code, clock.nanoTime());
        return offerAll();
    }

    @Override
    public boolean keyUp(int code) {
        waiting.keyUp(code, clock.nanoTime());
        return offerAll();
    }

    @Override
    public boolean touchDown(int x, int y, int pointer, int button) {
        waiting.touchDown(x, y, pointer, button, clock.nanoTime());
        return offerAll();
    }

    @Override
    public boolean touchUp(int x, int y, int pointer, int button) {
        waiting.touchUp(x, y, pointer, button, clock.nanoTime());
        return offerAll();
    }

    @Override
    public boolean touchDragged(int x, int y, int pointer) {
        waiting.touchDragged(x, y, pointer, clock.nanoTime());
        return offerAll();
    }

    @Override
    public boolean mouseMoved(int x, int y) {
        waiting.mouseMoved(x, y, clock.nanoTime());
        return offerAll();
    }

    @Override
    public boolean scrolled(float x, float y) {
        waiting.scrolled(x, y, clock.nanoTime());
        return offerAll();
    }

    /** Offers all waiting events. Returns false, so that libGDX passes the newest event to other processors, too. */
    private boolean offerAll() {
        lent.poll(ring);
        if (lent.hasBacklog() && !retrying && Gdx.app != null) {
            retrying = true;
            Gdx.app.postRunnable(retry);
        }
        return false;
    }

    private void retry() {
        retrying = false;
        offerAll();
    }

    /**
     * Offers the waiting events. {@link #lent} calls this only after the ring has accepted the backlog, so that no newer event overtakes
     * the backlog.
     */
    private void offerWaiting(InputSink to) {
        sink = to;
        waiting.drain(offering);
        sink = null;
    }

    private boolean offer(InputKind kind, int code, float x, float y) {
        if (sink != null && kind.hasCode(code)) {
            sink.offer(waiting.getCurrentEventTime(), kind, code, x, y);
        }
        return false;
    }
}
