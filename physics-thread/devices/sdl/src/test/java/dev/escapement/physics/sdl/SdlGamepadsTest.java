package dev.escapement.physics.sdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lwjgl.sdl.SDLEvents.SDL_EVENT_GAMEPAD_REMOVED;
import static org.lwjgl.sdl.SDLEvents.SDL_EVENT_GAMEPAD_STEAM_HANDLE_UPDATED;
import static org.lwjgl.sdl.SDLEvents.SDL_EVENT_JOYSTICK_AXIS_MOTION;
import static org.lwjgl.sdl.SDLEvents.SDL_EVENT_USER;
import static org.lwjgl.sdl.SDLEvents.SDL_FlushEvent;
import static org.lwjgl.sdl.SDLEvents.SDL_HasEvent;
import static org.lwjgl.sdl.SDLEvents.SDL_HasEvents;
import static org.lwjgl.sdl.SDLEvents.SDL_PushEvent;
import static org.lwjgl.sdl.SDLGamepad.SDL_GAMEPAD_AXIS_LEFTX;
import static org.lwjgl.sdl.SDLGamepad.SDL_GAMEPAD_BUTTON_EAST;
import static org.lwjgl.sdl.SDLGamepad.SDL_GAMEPAD_BUTTON_SOUTH;
import static org.lwjgl.sdl.SDLGamepad.SDL_GetGamepadFromID;
import static org.lwjgl.sdl.SDLGamepad.SDL_OpenGamepad;
import static org.lwjgl.sdl.SDLInit.SDL_INIT_GAMEPAD;
import static org.lwjgl.sdl.SDLInit.SDL_WasInit;
import static org.lwjgl.sdl.SDLJoystick.SDL_LockJoysticks;
import static org.lwjgl.sdl.SDLJoystick.SDL_UnlockJoysticks;
import static org.lwjgl.sdl.SDLTimer.SDL_GetTicksNS;

import com.sun.management.ThreadMXBean;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.time.NanoClock;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.sdl.SDL_Event;

/** Tests the source with the real SDL and its virtual gamepads. The test thread is the physics thread. */
@Timeout(60)
class SdlGamepadsTest {

    private final NanoClock clock = NanoClock.system();
    private final InputRing ring = new InputRing(1024, clock);
    private final InputSampler sampler = new InputSampler(ring);
    private final Semaphore opened = new Semaphore(0);
    private SdlGamepads gamepads;
    private long previousNanos = clock.nanoTime();

    @BeforeEach
    void open() {
        VirtualGamepad.requireSdl();
        gamepads = SdlGamepads.open(clock, this::openAndReport);
    }

    @AfterEach
    void close() {
        gamepads.close();
    }

    @Test
    void shouldSeeAPressAndAReleaseWithinOneTick() throws Exception {
        try (VirtualGamepad gamepad = plugIn()) {
            gamepad.button(SDL_GAMEPAD_BUTTON_SOUTH, true);
            gamepad.button(SDL_GAMEPAD_BUTTON_SOUTH, false);
            gamepad.button(SDL_GAMEPAD_BUTTON_EAST, true);
            InputFrame tick = tick();
            assertThat(reported(tick)).containsExactly("BUTTON_DOWN 0 0.0", "BUTTON_UP 0 0.0", "BUTTON_DOWN 1 0.0");
            assertThat(tick.event(1).timeNanos()).isGreaterThan(tick.event(0).timeNanos());
            assertThat(tick.state().isButtonDown(0)).isFalse();
            assertThat(tick.state().isButtonDown(1)).isTrue();
        }
    }

    @Test
    void shouldLetControllersComeAndGo() throws Exception {
        try (VirtualGamepad first = plugIn();
                VirtualGamepad second = plugIn()) {
            first.button(SDL_GAMEPAD_BUTTON_SOUTH, true);
            second.button(SDL_GAMEPAD_BUTTON_SOUTH, true);
            second.axis(SDL_GAMEPAD_AXIS_LEFTX, Short.MAX_VALUE);
            assertThat(reported(tick()))
                    .containsExactly("BUTTON_DOWN 0 0.0", "BUTTON_DOWN 32 0.0", "AXIS_MOVED 16 1.0");
            first.unplug();
            InputFrame gone = tick();
            assertThat(reported(gone)).containsExactly("BUTTON_UP 0 0.0");
            assertThat(gone.state().isButtonDown(32)).isTrue();
            try (VirtualGamepad third = plugIn()) {
                third.button(SDL_GAMEPAD_BUTTON_SOUTH, true);
                assertThat(reported(tick())).containsExactly("BUTTON_DOWN 0 0.0"); // reuses the free place
            }
        }
    }

    /** An opening never ends, and holds the lock that SDL holds during it. */
    @Test
    void shouldNotWaitForAGamepadToOpen() throws Exception {
        gamepads.close();
        CountDownLatch opening = new CountDownLatch(1);
        CountDownLatch resume = new CountDownLatch(1);
        gamepads = SdlGamepads.open(clock, device -> {
            SDL_LockJoysticks();
            opening.countDown();
            try {
                resume.await();
                return SDL_OpenGamepad(device);
            } catch (InterruptedException e) {
                return 0;
            } finally {
                SDL_UnlockJoysticks();
                opened.release();
            }
        });
        VirtualGamepad gamepad = new VirtualGamepad();
        gamepads.poll(ring);
        opening.await();
        Thread physics = new Thread(() -> gamepads.poll(ring), "test-physics");
        physics.start();
        physics.join(TimeUnit.SECONDS.toMillis(20));
        boolean waits = physics.isAlive();
        resume.countDown();
        physics.join();
        opened.acquire();
        assertThat(waits).isFalse();
        gamepad.button(SDL_GAMEPAD_BUTTON_SOUTH, true);
        assertThat(reported(tick())).containsExactly("BUTTON_DOWN 0 0.0");
        gamepad.close();
    }

    /** On Java 25, each native call of LWJGL creates an object that only the JIT compiler removes. The rounds continue until it has. */
    @Test
    void shouldAllocateNothingPerPollOnceCompiled() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (VirtualGamepad gamepad = plugIn()) {
            long allocated = Long.MAX_VALUE;
            int rounds = 0;
            while (allocated > 0 && rounds < 2_000) {
                allocated = 0;
                for (int poll = 0; poll < 1_000; poll++) {
                    gamepad.button(SDL_GAMEPAD_BUTTON_SOUTH, (poll & 1) == 0);
                    gamepad.axis(SDL_GAMEPAD_AXIS_LEFTX, poll);
                    long before = threads.getCurrentThreadAllocatedBytes();
                    gamepads.poll(ring);
                    allocated += threads.getCurrentThreadAllocatedBytes() - before;
                    sampler.sample(previousNanos, clock.nanoTime());
                }
                rounds++;
            }
            assertThat(ring.rejected()).isZero();
            assertThat(ring.accepted()).isGreaterThan(rounds * 1_000L);
            assertThat(allocated).isZero();
        }
    }

    @Test
    void shouldBeTheOnlyOneInAProcess() {
        assertThatThrownBy(() -> SdlGamepads.open(clock))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("in use");
        gamepads.close();
        gamepads.close();
        gamepads = SdlGamepads.open(clock);
    }

    @Test
    void shouldBeFreeForOthersAfterAStartThatFailed() {
        gamepads.close();
        IllegalStateException stopped = new IllegalStateException("stopped");
        assertThatThrownBy(() -> SdlGamepads.open(() -> {
                    throw stopped;
                }))
                .isSameAs(stopped);
        assertThat(SDL_WasInit(SDL_INIT_GAMEPAD)).as("not in use").isZero();
        gamepads = SdlGamepads.open(clock);
    }

    @Test
    void shouldSeeMoreThanOneBatchOfEvents() throws Exception {
        try (VirtualGamepad gamepad = plugIn()) {
            for (int press = 0; press < 100; press++) {
                gamepad.button(SDL_GAMEPAD_BUTTON_SOUTH, true);
                gamepad.button(SDL_GAMEPAD_BUTTON_SOUTH, false);
            }
            assertThat(tick().size()).isEqualTo(200);
        }
    }

    @Test
    void shouldReportRefusedLevelsInALaterPoll() throws Exception {
        InputRing small = new InputRing(1, clock);
        InputSampler reader = new InputSampler(small);
        try (VirtualGamepad gamepad = plugIn()) {
            gamepad.button(SDL_GAMEPAD_BUTTON_SOUTH, true);
            gamepad.button(SDL_GAMEPAD_BUTTON_SOUTH, false);
            gamepads.poll(small);
            assertThat(reported(reader.sample(previousNanos, clock.nanoTime()))).containsExactly("BUTTON_DOWN 0 0.0");
            gamepads.poll(small);
            assertThat(reported(reader.sample(previousNanos, clock.nanoTime()))).containsExactly("BUTTON_UP 0 0.0");
        }
    }

    /** An unclosed gamepad would leak memory each time that it is plugged in. */
    @Test
    void shouldCloseAGamepadThatIsGone() throws Exception {
        try (VirtualGamepad gamepad = plugIn();
                SDL_Event removed = SDL_Event.calloc()) {
            assertThat(SDL_GetGamepadFromID(gamepad.device)).isNotZero();
            removed.type(SDL_EVENT_GAMEPAD_REMOVED);
            removed.gdevice().which(gamepad.device).timestamp(SDL_GetTicksNS());
            SDL_PushEvent(removed);
            tick();
            while (SDL_GetGamepadFromID(gamepad.device) != 0 && !Thread.interrupted()) {
                Thread.onSpinWait(); // until the opener's thread has opened and closed the gamepad
            }
            assertThat(SDL_GetGamepadFromID(gamepad.device)).isZero();
        }
    }

    /** No other code removes joystick events, so the queue would fill up. */
    @Test
    void shouldLeaveNoEventsOfJoysticksBehindAndAllOthers() throws Exception {
        try (VirtualGamepad gamepad = plugIn();
                SDL_Event other = SDL_Event.calloc()) {
            other.type(SDL_EVENT_USER);
            SDL_PushEvent(other);
            gamepad.button(SDL_GAMEPAD_BUTTON_SOUTH, true);
            tick();
            assertThat(SDL_HasEvents(SDL_EVENT_JOYSTICK_AXIS_MOTION, SDL_EVENT_GAMEPAD_STEAM_HANDLE_UPDATED))
                    .isFalse();
            assertThat(SDL_HasEvent(SDL_EVENT_USER)).isTrue();
            SDL_FlushEvent(SDL_EVENT_USER);
        }
    }

    @Test
    void shouldNameCodes() {
        assertThat(SdlGamepads.button(2, 3)).isEqualTo(67);
        assertThat(SdlGamepads.axis(15, 15)).isEqualTo(255);
        assertThat(InputKind.BUTTON_DOWN.hasCode(SdlGamepads.button(15, 31))).isTrue();
        assertThat(InputKind.AXIS_MOVED.hasCode(SdlGamepads.axis(15, 15))).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SdlGamepads.button(16, 3))
                .withMessageContaining("button 3 of controller 16");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SdlGamepads.axis(0, 16))
                .withMessageContaining("axis 16 of controller 0");
    }

    private long openAndReport(int device) {
        long pointer = SDL_OpenGamepad(device);
        opened.release();
        return pointer;
    }

    /** Plugs in a gamepad, and waits for the opener's thread, so that later input is seen. */
    private VirtualGamepad plugIn() throws InterruptedException {
        VirtualGamepad gamepad = new VirtualGamepad();
        gamepads.poll(ring);
        opened.acquire();
        return gamepad;
    }

    private InputFrame tick() {
        gamepads.poll(ring);
        long nowNanos = clock.nanoTime();
        InputFrame frame = sampler.sample(previousNanos, nowNanos);
        previousNanos = nowNanos;
        return frame;
    }

    private static List<String> reported(InputFrame frame) {
        List<String> reported = new ArrayList<>();
        for (int i = 0; i < frame.size(); i++) {
            InputEvent event = frame.event(i);
            reported.add(event.kind() + " " + event.code() + " " + event.x());
        }
        return reported;
    }
}
