package dev.escapement.physics.box2d;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.badlogic.gdx.physics.box2d.Body;
import com.badlogic.gdx.physics.box2d.BodyDef.BodyType;
import com.badlogic.gdx.physics.box2d.Box2D;
import com.badlogic.gdx.physics.box2d.Contact;
import com.badlogic.gdx.physics.box2d.ContactImpulse;
import com.badlogic.gdx.physics.box2d.ContactListener;
import com.badlogic.gdx.physics.box2d.Manifold;
import com.badlogic.gdx.physics.box2d.World;
import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.world.ExistingWorldFixture;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Box2dWorldSimulationTest extends ExistingWorldFixture<World, Body> implements Box2dContractsTest.Worlds {

    @Test
    void shouldSayTheVersionOfTheBuildAndThePlatform() {
        assertThat(Box2dWorldSimulation.version())
                .isEqualTo(System.getProperty("gdx-box2d.version") + " on " + NativeResource.runningPlatform());
    }

    @Test
    void shouldNotWriteStaticBodiesThoughBox2dCallsThemAwake() {
        Body rock = ((Box2dGame) game).add(0, 5, BodyType.StaticBody);
        simulation.attach(rock, 1);
        tick(3);
        assertThat(rock.isAwake()).isTrue();
        assertThat(newest().motion(0).changedTick()).isEqualTo(1);
    }

    /** The tick runs in a callback of the step itself, like a step of another thread at that moment. */
    @Test
    void shouldRefuseATickWithinAStepOfOthers() {
        simulation.attach(game.addBox(0, 0.6), 1);
        AtomicReference<IllegalStateException> refused = new AtomicReference<>();
        game.world().setContactListener(new Listener() {
            @Override
            public void preSolve(Contact contact, Manifold manifold) {
                clock.advance(TICK_NANOS);
                try {
                    driver.runDueTicks();
                } catch (IllegalStateException e) {
                    refused.set(e);
                }
                game.world().setContactListener(new Listener() {});
            }
        });
        for (int step = 0; step < 100 && refused.get() == null; step++) {
            game.step(0.01);
        }
        assertThatIllegalStateException()
                .isThrownBy(() -> {
                    throw refused.get();
                })
                .withMessageContaining("other code is within a step")
                .withMessageContaining("leave steps to the service");
    }

    @Test
    void shouldReportNoDisabledContacts() {
        Body box = game.addBox(0, 0.7);
        simulation.attach(box, 1);
        game.world().setContactListener(new Listener() {
            @Override
            public void preSolve(Contact contact, Manifold manifold) {
                contact.setEnabled(false);
            }
        });
        EventStream events = driver.events(64);
        tick(80);
        events.drain(event -> assertThat(event.kind()).isEqualTo(BodyEvent.Kind.SPAWNED));
        assertThat(game.pose(box)[1]).as("it fell through the floor").isLessThan(-0.6);
    }

    @Test
    void shouldPassAllCallsToALaterListener() {
        EventStream events = driver.events(64);
        tick(1);
        List<String> calls = new ArrayList<>();
        game.world().setContactListener(new Listener() {
            @Override
            public void beginContact(Contact contact) {
                calls.add("begin");
            }

            @Override
            public void preSolve(Contact contact, Manifold manifold) {
                calls.add("pre");
            }

            @Override
            public void postSolve(Contact contact, ContactImpulse impulse) {
                calls.add("post " + (impulse.getNormalImpulses()[0] > 0));
            }
        });
        simulation.attach(game.addBox(0, 0.51), 1);
        tick(3);
        assertThat(calls).startsWith("begin", "pre", "post true").contains("post true");
        game.world().setContactListener(null);
        int before = calls.size();
        tick(3);
        assertThat(calls).as("removed again").hasSize(before);
        events.close();
    }

    private static class Listener implements ContactListener {

        @Override
        public void beginContact(Contact contact) {}

        @Override
        public void endContact(Contact contact) {}

        @Override
        public void preSolve(Contact contact, Manifold manifold) {}

        @Override
        public void postSolve(Contact contact, ContactImpulse impulse) {}
    }

    /** The jars contain the libraries of all platforms, so the test finds each of them on any platform. */
    @ParameterizedTest
    @ValueSource(strings = {"linux amd64", "linux aarch64", "windows amd64", "macos amd64", "macos aarch64"})
    void eachPlatformHasItsFiles(String platform) {
        for (String name : new String[] {"gdx", "gdx-box2d"}) {
            String version = System.getProperty(name + ".version");
            NativeResource library = Box2dNatives.library(platform, name, version);
            library.require(Box2D.class);
            assertThat(library.coordinates())
                    .isEqualTo("com.badlogicgames.gdx:" + name + "-platform:" + version + ":natives-desktop");
        }
    }
}
