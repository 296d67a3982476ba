package dev.escapement.physics.sdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lwjgl.sdl.SDLError.SDL_GetError;
import static org.lwjgl.sdl.SDLEvents.SDL_EVENT_GAMEPAD_STEAM_HANDLE_UPDATED;
import static org.lwjgl.sdl.SDLEvents.SDL_EVENT_JOYSTICK_AXIS_MOTION;
import static org.lwjgl.sdl.SDLEvents.SDL_EVENT_USER;
import static org.lwjgl.sdl.SDLEvents.SDL_FlushEvent;
import static org.lwjgl.sdl.SDLEvents.SDL_HasEvent;
import static org.lwjgl.sdl.SDLEvents.SDL_HasEvents;
import static org.lwjgl.sdl.SDLEvents.SDL_PushEvent;
import static org.lwjgl.sdl.SDLGamepad.SDL_GAMEPAD_AXIS_COUNT;
import static org.lwjgl.sdl.SDLGamepad.SDL_GAMEPAD_AXIS_LEFTX;
import static org.lwjgl.sdl.SDLGamepad.SDL_GAMEPAD_BUTTON_COUNT;
import static org.lwjgl.sdl.SDLGamepad.SDL_GAMEPAD_BUTTON_EAST;
import static org.lwjgl.sdl.SDLGamepad.SDL_GAMEPAD_BUTTON_SOUTH;
import static org.lwjgl.sdl.SDLGamepad.SDL_GetGamepadFromID;
import static org.lwjgl.sdl.SDLGamepad.SDL_OpenGamepad;
import static org.lwjgl.sdl.SDLGamepad.SDL_UpdateGamepads;
import static org.lwjgl.sdl.SDLInit.SDL_INIT_GAMEPAD;
import static org.lwjgl.sdl.SDLInit.SDL_WasInit;
import static org.lwjgl.sdl.SDLJoystick.SDL_AttachVirtualJoystick;
import static org.lwjgl.sdl.SDLJoystick.SDL_CloseJoystick;
import static org.lwjgl.sdl.SDLJoystick.SDL_DetachVirtualJoystick;
import static org.lwjgl.sdl.SDLJoystick.SDL_INIT_INTERFACE;
import static org.lwjgl.sdl.SDLJoystick.SDL_JOYSTICK_TYPE_GAMEPAD;
import static org.lwjgl.sdl.SDLJoystick.SDL_LockJoysticks;
import static org.lwjgl.sdl.SDLJoystick.SDL_OpenJoystick;
import static org.lwjgl.sdl.SDLJoystick.SDL_SetJoystickVirtualAxis;
import static org.lwjgl.sdl.SDLJoystick.SDL_SetJoystickVirtualButton;
import static org.lwjgl.sdl.SDLJoystick.SDL_UnlockJoysticks;

import com.sun.management.ThreadMXBean;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
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
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.sdl.SDLVersion;
import org.lwjgl.sdl.SDL_Event;
import org.lwjgl.sdl.SDL_VirtualJoystickDesc;
import org.lwjgl.sdl.SDL_VirtualJoystickSensorDesc;
import org.lwjgl.sdl.SDL_VirtualJoystickTouchpadDesc;
import org.lwjgl.system.MemoryStack;

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
        try {
            SDLVersion.SDL_GetVersion();
        } catch (LinkageError missing) {
            Assumptions.abort("SDL's native library cannot be loaded here: " + missing);
        }
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
    void shouldReleaseAndCloseAGamepadThatIsUnplugged() throws Exception {
        try (VirtualGamepad first = plugIn()) {
            first.button(SDL_GAMEPAD_BUTTON_SOUTH, true);
            first.axis(SDL_GAMEPAD_AXIS_LEFTX, Short.MAX_VALUE);
            assertThat(reported(tick())).containsExactly("BUTTON_DOWN 0 0.0", "AXIS_MOVED 0 1.0");
            assertThat(SDL_GetGamepadFromID(first.device)).isNotZero();
            first.unplug();
            assertThat(reported(tick())).containsExactly("BUTTON_UP 0 0.0", "AXIS_MOVED 0 0.0");
            while (SDL_GetGamepadFromID(first.device) != 0 && !Thread.interrupted()) {
                Thread.onSpinWait(); // until the opener's thread has closed it
            }
            assertThat(SDL_GetGamepadFromID(first.device)).as("leaked").isZero();
        }
        try (VirtualGamepad second = plugIn()) {
            second.button(SDL_GAMEPAD_BUTTON_SOUTH, true);
            assertThat(reported(tick())).containsExactly("BUTTON_DOWN 0 0.0"); // has the place that became free
        }
    }

    /** SDL numbers the devices anew, so that only their models tell who is back. */
    @Test
    void shouldKnowGamepadsThatReturnInAnotherOrder() throws Exception {
        plugIn("one").unplug();
        plugIn("two").unplug();
        tick();
        try (VirtualGamepad two = plugIn("two");
                VirtualGamepad three = plugIn("three");
                VirtualGamepad one = plugIn("one")) {
            two.button(SDL_GAMEPAD_BUTTON_SOUTH, true);
            three.button(SDL_GAMEPAD_BUTTON_SOUTH, true);
            one.button(SDL_GAMEPAD_BUTTON_SOUTH, true);
            assertThat(reported(tick()))
                    .containsExactly("BUTTON_DOWN 32 0.0", "BUTTON_DOWN 64 0.0", "BUTTON_DOWN 0 0.0");
        }
    }

    /** Here a gamepad takes long to open. Meanwhile the opener's thread holds SDL's lock of joysticks, as SDL itself does. */
    @Test
    void shouldNotWaitForAGamepadToOpen() throws Exception {
        gamepads.close();
        CountDownLatch opening = new CountDownLatch(1);
        CountDownLatch resume = new CountDownLatch(1);
        gamepads = SdlGamepads.open(clock, device -> {
            SDL_LockJoysticks();
            opening.countDown();
            try {
                resume.await(10, TimeUnit.SECONDS); // a limit, so that a poll that waits does not hang the test
                return openAndReport(device);
            } catch (InterruptedException e) {
                return 0;
            } finally {
                SDL_UnlockJoysticks();
            }
        });
        try (VirtualGamepad gamepad = new VirtualGamepad("virtual")) {
            gamepads.poll(ring);
            opening.await();
            gamepads.poll(ring);
            assertThat(opened.tryAcquire()).as("waited for the opening").isFalse();
            resume.countDown();
            awaitOpened();
            gamepad.button(SDL_GAMEPAD_BUTTON_SOUTH, true);
            assertThat(reported(tick())).containsExactly("BUTTON_DOWN 0 0.0");
        }
    }

    /**
     * On Java 25, each native call of LWJGL creates an object that only the JIT compiler removes. The rounds continue until none is left.
     */
    @Test
    void shouldAllocateNothingPerPollOnceCompiled() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (VirtualGamepad gamepad = plugIn()) {
            long allocated = Long.MAX_VALUE;
            for (int round = 0; allocated > 0 && round < 2_000; round++) {
                allocated = 0;
                for (int poll = 0; poll < 1_000; poll++) {
                    gamepad.button(SDL_GAMEPAD_BUTTON_SOUTH, (poll & 1) == 0);
                    gamepad.axis(SDL_GAMEPAD_AXIS_LEFTX, poll);
                    long before = threads.getCurrentThreadAllocatedBytes();
                    gamepads.poll(ring);
                    allocated += threads.getCurrentThreadAllocatedBytes() - before;
                    assertThat(sampler.sample(previousNanos, clock.nanoTime()).size())
                            .isPositive();
                }
            }
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
    void shouldSayThatTheNativeLibraryIsMissing() {
        UnsatisfiedLinkError missing = new UnsatisfiedLinkError("no lwjgl_sdl");
        assertThatThrownBy(() -> SdlLibrary.start(() -> {
                    throw missing;
                }))
                .isInstanceOf(SdlUnavailableException.class)
                .hasCause(missing)
                .hasMessageStartingWith("SDL's native library cannot be loaded on " + System.getProperty("os.name"))
                .hasMessageContaining("add lwjgl and lwjgl-sdl with the natives classifier");
        assertThatThrownBy(() -> SdlLibrary.start(() -> false))
                .isInstanceOf(SdlUnavailableException.class)
                .hasMessageContaining("SDL cannot start its gamepads");
    }

    @Test
    void shouldNameCodes() {
        assertThat(SdlGamepads.button(2, 3)).isEqualTo(67);
        assertThat(SdlGamepads.axis(15, 15)).isEqualTo(255);
        assertThatThrownBy(() -> SdlGamepads.button(16, 3)).hasMessageContaining("button 3 of controller 16");
        assertThatThrownBy(() -> SdlGamepads.axis(0, 16)).hasMessageContaining("axis 16 of controller 0");
    }

    private long openAndReport(int device) {
        long pointer = SDL_OpenGamepad(device);
        opened.release();
        return pointer;
    }

    /** Plugs in a gamepad, and waits for the opener's thread, so that later input is seen. */
    private VirtualGamepad plugIn() throws InterruptedException {
        return plugIn("virtual");
    }

    private VirtualGamepad plugIn(String name) throws InterruptedException {
        VirtualGamepad gamepad = new VirtualGamepad(name);
        gamepads.poll(ring);
        awaitOpened();
        gamepads.poll(ring); // gives it a place
        return gamepad;
    }

    private void awaitOpened() throws InterruptedException {
        opened.acquire();
        while (!gamepads.opener.tryTurn()) {
            Thread.onSpinWait();
        }
        gamepads.opener.endTurn();
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

    /** A gamepad that SDL treats like a real one. Each change enters SDL's queue at once with a stamp, like a driver's event. */
    private static final class VirtualGamepad implements AutoCloseable {

        final int device;
        private final long joystick;
        private boolean attached = true;

        VirtualGamepad(String name) {
            try (MemoryStack stack = MemoryStack.stackPush()) {
                SDL_VirtualJoystickDesc description = SDL_VirtualJoystickDesc.calloc(stack);
                SDL_INIT_INTERFACE(description);
                description
                        .type((short) SDL_JOYSTICK_TYPE_GAMEPAD)
                        .naxes((short) SDL_GAMEPAD_AXIS_COUNT)
                        .nbuttons((short) SDL_GAMEPAD_BUTTON_COUNT)
                        .name(stack.UTF8(name))
                        .touchpads(SDL_VirtualJoystickTouchpadDesc.calloc(1, stack))
                        .ntouchpads((short) 0)
                        .sensors(SDL_VirtualJoystickSensorDesc.calloc(1, stack))
                        .nsensors((short) 0);
                device = SDL_AttachVirtualJoystick(description);
            }
            joystick = SDL_OpenJoystick(device);
            if (device == 0 || joystick == 0) {
                throw new IllegalStateException("SDL gives no virtual gamepad: " + SDL_GetError());
            }
        }

        void button(int button, boolean down) {
            SDL_SetJoystickVirtualButton(joystick, button, down);
            SDL_UpdateGamepads();
        }

        void axis(int axis, int value) {
            SDL_SetJoystickVirtualAxis(joystick, axis, (short) value);
            SDL_UpdateGamepads();
        }

        void unplug() {
            if (attached) {
                attached = false;
                SDL_DetachVirtualJoystick(device);
                SDL_CloseJoystick(joystick);
            }
        }

        @Override
        public void close() {
            unplug();
        }
    }
}
