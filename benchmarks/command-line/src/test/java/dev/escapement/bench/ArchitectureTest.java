package dev.escapement.bench;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Duration;
import java.util.Set;

/** The allowed dependencies between modules and packages, and forbidden classes. */
@AnalyzeClasses(
        packages = "dev.escapement",
        importOptions = {DoNotIncludeTests.class, ArchitectureTest.NoTestJars.class})
class ArchitectureTest {

    /** Leaves out the test fixtures of other modules, which come in their own jar. */
    static final class NoTestJars implements ImportOption {

        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    private static final String STATE = "dev.escapement.state..";
    private static final String TRANSPORT = "dev.escapement.transport..";
    private static final String PLATFORM = "dev.escapement.platform..";
    private static final String PHYSICS = "dev.escapement.physics..";
    private static final String RENDER = "dev.escapement.render..";
    private static final String BENCH = "dev.escapement.bench..";

    private static final String[] ENGINES_AND_DEVICES = {
        "dev.escapement.physics.jolt..",
        "dev.escapement.physics.bullet..",
        "dev.escapement.physics.ode4j..",
        "dev.escapement.physics.dyn4j..",
        "dev.escapement.physics.box2d..",
        "dev.escapement.physics.physx..",
        "dev.escapement.physics.sdl.."
    };

    /** The modules beside the two threads. */
    private static final String[] BEYOND_THE_CORE = {
        "dev.escapement.physics.host..",
        "dev.escapement.physics.replay..",
        "dev.escapement.physics.world..",
        "dev.escapement.physics.contact..",
        "dev.escapement.physics.platform..",
        "dev.escapement.render.scene..",
        "dev.escapement.render.tools.."
    };

    private static final String[] BACKENDS = {
        "dev.escapement.render.lwjgl..",
        "dev.escapement.render.jme..",
        "dev.escapement.render.libgdx..",
        "dev.escapement.render.web.."
    };

    @ArchTest
    static void modulesDependInOneDirection(JavaClasses classes) {
        checkNone(classes, resideInAPackage(PHYSICS), RENDER, BENCH);
        checkNone(classes, resideInAPackage(RENDER), PHYSICS, BENCH);
        checkNone(
                classes,
                resideInAPackage(PHYSICS).and(resideOutsideOfPackages(ENGINES_AND_DEVICES)),
                ENGINES_AND_DEVICES);
        checkNone(classes, resideInAPackage(RENDER).and(resideOutsideOfPackages(BACKENDS)), BACKENDS);
        checkNone(
                classes,
                resideInAnyPackage(STATE, "dev.escapement.physics", "dev.escapement.physics.(*)", RENDER)
                        .and(resideOutsideOfPackages(BEYOND_THE_CORE))
                        .and(resideOutsideOfPackages(ENGINES_AND_DEVICES))
                        .and(resideOutsideOfPackages(BACKENDS)),
                BEYOND_THE_CORE);
    }

    /**
     * Compares with what module descriptors also say: tests and the demonstration run on the class path, where descriptors do not count.
     */
    @ArchTest
    static void packagesThatAreNotExportedAreUsedByOursOnly(JavaClasses classes) {
        checkNone(
                classes,
                resideOutsideOfPackages(
                        "dev.escapement.physics",
                        "dev.escapement.physics.(command|request|slice|usercode|loop|lifecycle)",
                        "dev.escapement.physics.host..",
                        "dev.escapement.physics.replay..",
                        "dev.escapement.cluster.."),
                "dev.escapement.physics.lifecycle..",
                "dev.escapement.physics.loop..",
                "dev.escapement.physics.request..",
                "dev.escapement.physics.slice..",
                "dev.escapement.physics.usercode..");
        checkNone(
                classes,
                resideOutsideOfPackages("dev.escapement.physics.replay.."),
                "dev.escapement.physics.replay.format..",
                "dev.escapement.physics.replay.store..");
    }

    private static void checkNone(JavaClasses classes, DescribedPredicate<JavaClass> from, String... forbidden) {
        noClasses()
                .that(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(forbidden)
                .check(classes);
    }

    @ArchTest
    static void librariesAreThoseThatAreDeclared(JavaClasses classes) {
        checkOnly(
                classes,
                STATE,
                "java..",
                "javax.crypto..",
                "jdk.jfr..",
                "com.lmax.disruptor..",
                "org.jctools..",
                "org.jspecify..");
        checkOnly(
                classes,
                TRANSPORT,
                STATE,
                "java..",
                "io.aeron..",
                "org.agrona..",
                "org.HdrHistogram..",
                "org.jspecify..");
        checkOnly(classes, PLATFORM, STATE, "java..", "jdk.jfr..", "com.sun.jna..", "org.jspecify..");
    }

    private static void checkOnly(JavaClasses classes, String from, String... allowed) {
        classes()
                .that()
                .resideInAPackage(from)
                .should()
                .onlyDependOnClassesThat(resideInAPackage(from).or(resideInAnyPackage(allowed)))
                .check(classes);
    }

    @ArchTest
    static final ArchRule ENGINES_AND_DEVICES_DO_NOT_KNOW_EACH_OTHER = slices().matching(
                    "dev.escapement.physics.(jolt|bullet|ode4j|dyn4j|box2d|physx|sdl)..")
            .should()
            .notDependOnEachOther();

    @ArchTest
    static final ArchRule BACKENDS_DO_NOT_KNOW_EACH_OTHER = slices().matching(
                    "dev.escapement.render.(lwjgl|jme|libgdx|web)..")
            .should()
            .notDependOnEachOther();

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("dev.escapement.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NO_WALL_CLOCK = noClasses()
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .dependOnClassesThat(resideInAPackage("java.time..").and(not(type(Duration.class)))) // a length, not a date
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.Date")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.util.Calendar");

    /** Forbids {@code instanceof} for capabilities: it misses those of a simulation that another one wraps. */
    @ArchTest
    static void capabilitiesAreLookedUp(JavaClasses classes) {
        Set<String> capabilities =
                Set.of("dev.escapement.physics.restore.Restorable", "dev.escapement.state.world.ShapeSource");
        assertThat(classes.stream().flatMap(from -> from.getInstanceofChecks().stream()))
                .filteredOn(check -> capabilities.contains(check.getRawType().getName()))
                .isEmpty();
    }

    /** Forbids functions of Math, which may differ by a bit between machines; those of StrictMath do not. */
    @ArchTest
    static void worldsAndCapturesGetTheSameBitsFromFunctions(JavaClasses classes) {
        Set<String> packages = Set.of("dev.escapement.bench.demo", "dev.escapement.state.capture");
        assertThat(classes.stream()
                        .filter(from -> packages.contains(from.getPackageName()))
                        .flatMap(from -> from.getMethodCallsFromSelf().stream()))
                .filteredOn(call -> call.getTargetOwner().isEquivalentTo(Math.class)
                        && call.getName().matches("a?(sin|cos|tan)2?h?|hypot|cbrt|pow|exp|expm1|log.*"))
                .isEmpty();
    }

    /**
     * Forbids functions that allocate arrays since Java 21. The library must not allocate in a tick; the demonstration computes its own.
     */
    @ArchTest
    static void theLibraryCallsNoFunctionThatAllocates(JavaClasses classes) {
        assertThat(classes.stream()
                        .filter(from -> !from.getPackageName().startsWith("dev.escapement.bench"))
                        .flatMap(from -> from.getMethodCallsFromSelf().stream()))
                .filteredOn(call -> call.getTargetOwner().isEquivalentTo(StrictMath.class)
                        && call.getName().matches("sin|cos|tan|pow"))
                .isEmpty();
    }

    @ArchTest
    static final ArchRule NOBODY_SLEEPS = noClasses().should().callMethod(Thread.class, "sleep", long.class);
}
