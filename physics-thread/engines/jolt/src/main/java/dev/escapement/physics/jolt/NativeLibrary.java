package dev.escapement.physics.jolt;

import java.util.Locale;

/**
 * Where jolt-jni keeps the native library of one platform.
 *
 * @param artifact the Maven artifact, whose classifier jar holds the library
 * @param resource the library's path within that jar
 */
record NativeLibrary(String artifact, String resource) {

    /** The operating system comes as the JVM names it, so that every platform can be tested on any of them. */
    static NativeLibrary forPlatform(String osName, String osArch) {
        String architecture = architecture(osArch);
        return switch (family(osName) + ' ' + architecture) {
            case "linux x86-64" -> of("jolt-jni-Linux64", "linux", architecture, "libjoltjni.so");
            case "linux aarch64" -> of("jolt-jni-Linux_ARM64", "linux", architecture, "libjoltjni.so");
            case "windows x86-64" -> of("jolt-jni-Windows64", "windows", architecture, "joltjni.dll");
            case "osx x86-64" -> of("jolt-jni-MacOSX64", "osx", architecture, "libjoltjni.dylib");
            case "osx aarch64" -> of("jolt-jni-MacOSX_ARM64", "osx", architecture, "libjoltjni.dylib");
            default ->
                throw new UnsupportedPlatformException("jolt-jni offers no native library of Jolt for " + osName + " "
                        + osArch + ": use Linux or macOS on amd64 or aarch64, or Windows on amd64");
        };
    }

    /** What a build has to depend on. */
    String coordinates(String version) {
        return "com.github.stephengold:" + artifact + ":" + version + ":ReleaseSp";
    }

    private static NativeLibrary of(String artifact, String os, String architecture, String file) {
        return new NativeLibrary(artifact, "/" + os + "/" + architecture + "/com/github/stephengold/" + file);
    }

    private static String family(String osName) {
        String name = osName.toLowerCase(Locale.ROOT);
        if (name.startsWith("windows")) {
            return "windows"; // the version follows, as in "Windows 11"
        }
        return name.startsWith("mac") ? "osx" : name;
    }

    /** JVMs disagree about the names of the same two architectures. */
    private static String architecture(String osArch) {
        return switch (osArch.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> "x86-64";
            case "aarch64", "arm64" -> "aarch64";
            default -> osArch;
        };
    }
}
